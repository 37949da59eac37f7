/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reference kernel: what each call ought to do, written as plainly as possible.
 *
 * Arrays that are searched, no linked lists, no fast paths, nothing shared with
 * kernel/. Threads are numbers; a thread executes the operations of its script one by
 * one, each as a whole, since nothing can be seen of an operation's inside. What runs
 * next follows from three rules: the most urgent ready thread, among equals the one
 * that has been ready longest, and who is preempted keeps the first place. Deadlines and meta-IRQ
 * threads, where they are there, change who is equal, and who is preempted by whom.
 */
#ifndef TESTS_HOST_MODEL_H
#define TESTS_HOST_MODEL_H

#include <foliot/kernel.h>

#define WORKERS      6
#define CONTROLLER   WORKERS /* the thread that hands out the scripts; the least urgent */
#define SYSTEM_QUEUE (WORKERS + 1) /* the thread of the system's work queue */
#define THREADS      (WORKERS + 2)
#define NOBODY       (-1)
#define TIMERS       3
#define WORK_ITEMS   5 /* that may be delayed */
#define POLL_ITEMS   2 /* that poll */
#define SCRIPT_MAX   5

/* How an operation is executed. Neighbours of one kind share an ISR or a masked section. */
enum context { IN_THREAD, IN_ISR, MASKED };

struct op {
	uint8_t type;     /* index in op_types[] */
	uint8_t context;
	uint8_t object;
	uint8_t who;      /* another thread */
	int32_t a;
	int32_t b;
	k_timeout_t timeout;
};

struct script {
	int length;
	struct op op[SCRIPT_MAX];
};

/* Results that stand for something the kernel did not return. */
#define SKIPPED (-1000) /* would have been misuse, see the operation */

/* What the model did with an operation. */
enum outcome {
	DONE,    /* *result is what the call returns */
	BLOCKED, /* it goes on in resume() when the thread runs again */
};

/* A wait queue: thread numbers, the next to be woken first. */
struct m_queue {
	int length;
	int thread[THREADS];
};

struct m_timeout {
	bool armed;
	int64_t when;       /* tick, not wrapped */
	uint64_t order;     /* of arming */
	void (*expire)(int id);
	int id;
};

enum stage { AT_MAIL, FETCH, NEXT, RESUME, RETURN };

struct m_thread {
	bool dead;
	bool prestart;
	bool suspended;
	bool pending;
	struct m_queue *queue;   /* waits there; NULL: sleeps */
	struct m_timeout timeout;
	long timeout_result;
	long wake_result;
	int base_prio;
	int prio;
	int sched_locks;
	bool masked;
	int64_t turn; /* among ready threads of one priority and deadline the least runs */
	bool has_deadline;
	uint32_t deadline;
	struct script script;
	bool has_script;
	enum stage stage;
	int pc;
	int phase; /* the operation's own */
	long saved; /* likewise */
	long result;
};

struct model {
	struct m_thread thread[THREADS];
	struct m_queue mail[THREADS];
	struct m_queue joiners[THREADS];
	int current;
	int held; /* preempted by a meta-IRQ thread: goes on before all others that are none; or NOBODY */
	bool in_isr;
	int64_t now_cycles;
	int64_t first_turn;
	int64_t last_turn;
	uint64_t timeouts_armed;
};

extern struct model model;
/* Whatever can be armed: threads, timers, work items. */
#define TIMER_TIMEOUTS THREADS
#define WORK_TIMEOUTS  (TIMER_TIMEOUTS + TIMERS)
#define POLL_TIMEOUTS  (WORK_TIMEOUTS + WORK_ITEMS)
extern struct m_timeout *m_timeouts[POLL_TIMEOUTS + POLL_ITEMS];

/* ---- model.c: threads, time, the scheduler ---- */
void model_init(void);
int64_t m_now(void); /* tick, not wrapped */
int64_t m_deadline(k_timeout_t timeout); /* of a wait that begins now */

/* Block the current thread; `queue` NULL: on time alone. Always returns BLOCKED. */
enum outcome m_pend(struct m_queue *queue, k_timeout_t timeout, long timeout_result);
void m_wake(int id, long result);
void m_wake_all(struct m_queue *queue, long result);
void m_ready(int id);
bool m_is_ready(int id);
void m_enqueue(struct m_queue *queue, int id);
void m_dequeue(struct m_queue *queue, int id);
void m_arm(struct m_timeout *timeout, int64_t when, void (*expire)(int id), int id);
void m_set_prio(int id, int prio);
void m_set_deadline(int id, uint32_t deadline);
void m_stop(int id); /* it is suspended, or has ended */
void m_yield(void);

/* Expire what is due, as the timer's interrupt does. */
void m_take_interrupts(void);
/* The current thread computes until `cycles`; false if it was preempted before. */
bool m_compute(int64_t until_cycles);
/* Run threads until only the controller is left to run. */
void m_run(void);
void m_mail(int id, const struct script *script);
/* A thread that was created just now; it will wait for mail as soon as it may run. */
void m_create(int id, int prio);

/* ---- every operation, by family: ops_*.c ---- */
enum { CAN_ISR = 1, CAN_MASK = 2, CAN_CONTROLLER = 4, CAN_ALL = 7 };

struct op_type {
	const char *name;
	int weight;
	int where; /* CAN_*: beside a worker with interrupts open */
	void (*generate)(struct op *op); /* fills object, who, a, b; timeout is set */
	long (*real)(const struct op *op);
	enum outcome (*model)(const struct op *op, long *result);
	/* After a wait; NULL: the result is what the waker gave. */
	enum outcome (*resume)(const struct op *op, long *result);
};

struct family {
	const char *name; /* some of one name, one file each, are chosen together */
	const struct op_type *types;
	int num_types;
	void (*init)(void); /* both sides */
	int (*show_real)(char *text, size_t size); /* the state, as text */
	int (*show_model)(char *text, size_t size);
	bool (*end)(void); /* optional: clean up, true if nothing was lost */
};

extern struct op_type op_types[];

extern const struct family family_sem, family_mutex, family_queue, family_stack, family_event,
	family_heap, family_timer, family_msgq, family_slab, family_thread, family_ipc, family_pipe,
	family_work, family_work_delay, family_work_queue, family_poll, family_poll_signal,
	family_poll_work, family_mbox, family_futex;

/* The inheritance of the model's mutexes; called when any wait or priority changed. */
void m_mutex_settle(void);
int m_entitled_prio(int id);
/* The thread has ended; to be followed by m_mutex_settle(). */
void m_mutex_owner_ended(int id);
/* The most urgent of `prio` and of who waits for `id` to serve it, or to receive. */
int m_ipc_entitled_prio(int id, int prio);
/* Who inherits from those in a queue of callers; NOBODY: it is another queue. */
int m_ipc_heir(const struct m_queue *queue);
/* The running thread is about to wait for `owner`, or nobody: who waits itself has its priority. */
void m_lend_ahead(int owner);
/* The thread has ended: whom it served is told. */
void m_ipc_thread_ended(int id);
/* Give semaphore 0, as a timer's function does. */
void m_sem_give(int object);
void real_sem_give(int object);

/* k_thread_join(). */
enum outcome m_join(int who, k_timeout_t timeout, long *result);

/* ---- objects that are polled: each family says of its own, and tells ---- */
struct pollable {
	int objects;
	void *(*real)(int object);
	bool (*is_there)(int object); /* in the model */
};

extern const struct pollable pollable_sem, pollable_queue, pollable_msgq, pollable_pipe;

/* Something is there, and nobody got it who waits for it alone. */
void m_poll_tell(const struct pollable *family, int object);
/* k_queue_cancel_wait(). */
void m_poll_cancel(const struct pollable *family, int object);
/* How many who poll it are told of nothing yet? */
int m_poll_waiting(const struct pollable *family, int object);
/* The thread has ended: it polls no more. */
void m_poll_thread_ended(int id);
/* The handler of a work item that polls is about to be called: it may be submitted anew. */
void m_poll_item_begins(int item);
struct k_work *real_poll_item(int item);

/* ---- work queues ---- */
extern struct k_work_q *const real_work_queues[];
/* Put an item (those that poll are behind the others) into a queue, whose thread is woken. */
int m_work_put(int queue, int item);
/* Would it wreck any kernel to end this thread? It serves a queue. */
bool real_work_serves(int id);
bool m_work_serves(int id);

/* ---- engine.c ---- */
extern struct k_thread workers[THREADS];
int real_self(void);
void log_real(int who, const char *what, long result);
void log_model(int who, const char *what, long result);
int thread_number(const struct k_thread *thread);
int show_wait_q(char *text, size_t size, const _wait_q_t *wait_q);
int show_m_queue(char *text, size_t size, const struct m_queue *queue);
/* Create worker `id` for the kernel, fresh. */
void real_create(int id, int prio, k_timeout_t delay);

/* ---- random.c ---- */
void random_seed(uint64_t seed);
/* From here on these bytes decide. */
void random_given(const uint8_t *input, size_t size);
bool random_is_given(void);
uint32_t random_below(uint32_t n);
static inline bool one_in(uint32_t n)
{
	return random_below(n) == 0;
}
int random_prio(void);
k_timeout_t random_timeout(void);

#endif /* TESTS_HOST_MODEL_H */
