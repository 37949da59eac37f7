/* SPDX-License-Identifier: Apache-2.0 */
/* The attacks: each of these calls as long as a user thread can make it, with what 24 others of its kind do for that. */
#include "interference.h"

#define ITEMS   128
#define MUTEXES 12
#define LONG    1024 /* bytes of a message */

K_APPMEM_PARTITION_DEFINE(attack_memory);
K_APP_BMEM(attack_memory) static uint8_t from[BYTES], to[BYTES];
K_APP_BMEM(attack_memory)
static struct k_futex futexes[9]; /* the first and the last share a queue of the kernel's */
K_APP_BMEM(attack_memory) static void *volatile made;
K_APP_BMEM(attack_memory) static volatile int turns;

K_HEAP_DEFINE(attack_pool, 40960);
static struct k_mem_domain domain;
static K_SEM_DEFINE(sem, 0, 1);
static K_MUTEX_DEFINE(mutex);
static K_CONDVAR_DEFINE(condvar);
static K_EVENT_DEFINE(event);
static struct k_queue queue;
static struct k_pipe pipe;
static struct k_msgq msgq;
static char msgq_ring[4];
static struct k_timer timer;
static struct k_thread spare;
static K_THREAD_STACK_DEFINE(spare_stack, 8192);
static struct k_mutex mutexes[MUTEXES];
static struct k_msgq long_msgq;
static char long_ring[LONG];
static K_IPC_ENDPOINT_DEFINE(endpoint);
static K_IPC_GATE_DEFINE(gate, &endpoint, 1);

/* ---- what waits ---- */

static void take(int helper)
{
	for (;;) {
		(void)k_sem_take(&sem, K_FOREVER);
	}
}

static void await_second_bit(int helper)
{
	for (;;) {
		(void)k_event_wait(&event, 2, false, K_FOREVER);
	}
}

static void await_first_bit(int helper)
{
	for (;;) {
		(void)k_event_wait_safe(&event, 1, false, K_FOREVER);
	}
}

static void await_condvar(int helper)
{
	(void)k_mutex_lock(&mutex, K_FOREVER);
	for (;;) {
		(void)k_condvar_wait(&condvar, &mutex, K_FOREVER);
	}
}

static void await_futex(int helper)
{
	for (;;) {
		(void)k_futex_wait(&futexes[0], 0, K_FOREVER);
	}
}

static void await_other_futex(int helper)
{
	for (;;) {
		(void)k_futex_wait(&futexes[8], 0, K_FOREVER);
	}
}

static void put(int helper)
{
	for (;;) {
		(void)k_msgq_put(&msgq, from, K_FOREVER);
	}
}

static void write_byte(int helper)
{
	for (;;) {
		(void)k_pipe_write(&pipe, from, 1, K_FOREVER);
	}
}

/* One reads all; the others have nothing to do. */
static void read_all(int helper)
{
	for (;;) {
		if (helper == 0) {
			(void)k_pipe_read(&pipe, to, BYTES, K_FOREVER);
		} else {
			(void)k_futex_wait(&futexes[1], 0, K_FOREVER);
		}
	}
}

static void join(int helper)
{
	for (;;) {
		if (k_thread_join(&spare, K_FOREVER) == 0) {
			(void)k_futex_wait(&futexes[1], 0,
					   K_FOREVER); /* until there is one again */
		}
	}
}

static void poll(int helper)
{
	for (;;) {
		struct k_poll_event polled = K_POLL_EVENT_INITIALIZER(K_POLL_TYPE_SEM_AVAILABLE, 0,
								      &sem);

		(void)k_poll(&polled, 1, K_FOREVER);
	}
}

static void await_timer(int helper)
{
	for (;;) {
		(void)k_timer_status_sync(&timer);
		(void)k_futex_wait(&futexes[1], 0, K_FOREVER);
	}
}

static void get_long(int helper)
{
	for (;;) {
		if (helper == 0) {
			(void)k_msgq_get(&long_msgq, to, K_FOREVER);
		} else {
			(void)k_futex_wait(&futexes[1], 0, K_FOREVER);
		}
	}
}

static void put_long(int helper)
{
	for (;;) {
		(void)k_msgq_put(&long_msgq, from, K_FOREVER);
	}
}

/* One serves, and answers with as many bytes; the others queue. */
static void serve(int helper)
{
	struct k_ipc_message message = {.data = to, .size = LONG, .room = LONG};

	for (;;) {
		if (helper == 0) {
			message.size = LONG;
			(void)k_ipc_reply_receive(&endpoint, &message, K_FOREVER);
		} else {
			(void)k_futex_wait(&futexes[1], 0, K_FOREVER);
		}
	}
}

static void call_server(int helper)
{
	for (;;) {
		struct k_ipc_message message = {.data = from, .size = LONG, .room = 0};

		(void)k_ipc_send(&gate, &message, K_FOREVER);
	}
}

/* Each holds one mutex and waits for the next one's. */
static void chain(int helper)
{
	if (helper >= MUTEXES - 1) {
		(void)k_sem_take(&sem, K_FOREVER);
	}
	(void)k_mutex_lock(&mutexes[helper], K_FOREVER);
	if (helper > 0) {
		(void)k_mutex_lock(&mutexes[helper - 1], K_FOREVER);
	}
	(void)k_sem_take(&sem, K_FOREVER);
}

/* ---- the calls ---- */

static void compute(void)
{
	for (int i = 0; i < 2000; i++) {
		turns = turns + 1;
	}
}

static void reset_sem(void)
{
	k_sem_reset(&sem);
}

static void post(void)
{
	(void)k_event_post(&event, 1);
}

static void clear_bits(void)
{
	(void)k_event_clear(&event, 1);
}

static void broadcast(void)
{
	(void)k_condvar_broadcast(&condvar);
}

static void wake_futex(void)
{
	(void)k_futex_wake(&futexes[0], true);
}

static void purge(void)
{
	k_msgq_purge(&msgq);
}

static void fill_msgq(void)
{
	(void)k_msgq_put(&msgq, from, K_NO_WAIT);
}

static void write_all(void)
{
	(void)k_pipe_write(&pipe, from, BYTES, K_FOREVER);
}

static void read_byte(void)
{
	(void)k_pipe_read(&pipe, to, 1, K_FOREVER);
}

static void close_pipe(void)
{
	k_pipe_reset(&pipe);
}

static void peek(void)
{
	(void)k_queue_peek_tail(&queue);
}

static void allocate(void)
{
	made = k_object_alloc_size(K_OBJ_SEM, 16384);
}

static void release(void)
{
	if (made != NULL) {
		k_object_release(made);
	}
}

/* An object with many items of its own, that goes with its last right. */
static void make_full_queue(void)
{
	struct k_queue *full = k_object_alloc(K_OBJ_QUEUE);

	if (full != NULL) {
		k_queue_init(full);
		for (int i = 0; i < ITEMS; i++) {
			(void)k_queue_alloc_append(full, from);
		}
	}
	made = full;
}

static void idle(void *p1, void *p2, void *p3)
{
}

static void create(void)
{
	(void)k_thread_create(&spare, spare_stack, K_THREAD_STACK_SIZEOF(spare_stack), idle, NULL,
			      NULL, NULL, K_LOWEST_APPLICATION_THREAD_PRIO, K_USER, K_FOREVER);
}

static void abort_spare(void)
{
	k_thread_abort(&spare);
}

static void create_anew(void)
{
	abort_spare();
	create();
	(void)k_futex_wake(&futexes[1], true);
}

static void poll_once(void)
{
	struct k_poll_event polled[4];

	for (int i = 0; i < 4; i++) {
		k_poll_event_init(&polled[i], K_POLL_TYPE_SEM_AVAILABLE, K_POLL_MODE_NOTIFY_ONLY,
				  &sem);
	}
	(void)k_poll(polled, 4, K_NO_WAIT);
}

static void stop_timer(void)
{
	k_timer_stop(&timer);
}

static void start_timer(void)
{
	k_timer_start(&timer, K_TICKS(1 << 20), K_NO_WAIT);
	(void)k_futex_wake(&futexes[1], true);
}

static void put_message(void)
{
	(void)k_msgq_put(&long_msgq, from, K_FOREVER);
}

static void put_message_in_front(void)
{
	(void)k_msgq_put_front(&long_msgq, from);
}

static void get_message(void)
{
	(void)k_msgq_get(&long_msgq, to, K_NO_WAIT);
}

static void peek_message(void)
{
	(void)k_msgq_peek(&long_msgq, to);
}

static void purge_messages(void)
{
	k_msgq_purge(&long_msgq);
}

static void call_with_bytes(void)
{
	struct k_ipc_message message = {.data = from, .size = LONG, .room = LONG};

	(void)k_ipc_call(&gate, &message, K_FOREVER);
}

static void receive_bytes(void)
{
	struct k_ipc_message message = {.data = to, .size = 0, .room = LONG};

	(void)k_ipc_receive(&endpoint, &message, K_NO_WAIT);
}

static void lock_last(void)
{
	(void)k_mutex_lock(&mutexes[MUTEXES - 2], K_NO_WAIT);
}

/* ---- in the kernel ---- */

static void prepare_queue(void)
{
	while (k_queue_get(&queue, K_NO_WAIT) != NULL) {
	}
	for (int i = 0; i < ITEMS; i++) {
		(void)k_queue_alloc_append(&queue, &queue);
	}
}

static void no_buffer(void)
{
	k_pipe_init(&pipe, NULL, 0);
}

static void empty_msgq(void)
{
	k_msgq_purge(&long_msgq);
}

const struct attack attacks[] = {
	{"interference.none", "An attacker computes", NULL, NULL, NULL, compute},
	{"interference.sem.reset", "k_sem_reset(), 24 wait", NULL, take, NULL, reset_sem},
	{"interference.event.pass", "k_event_post() of a bit that none of 24 waits for", NULL,
	 await_second_bit, clear_bits, post},
	{"interference.event.wake", "k_event_post() of a bit that 24 wait for", NULL,
	 await_first_bit, clear_bits, post},
	{"interference.condvar", "k_condvar_broadcast() to 24", NULL, await_condvar, NULL,
	 broadcast},
	{"interference.futex.wake", "k_futex_wake() of 24", NULL, await_futex, NULL, wake_futex},
	{"interference.futex.pass", "k_futex_wake() past 24 at another", NULL, await_other_futex,
	 NULL, wake_futex},
	{"interference.msgq.purge", "k_msgq_purge(), 24 wait to put", NULL, put, fill_msgq, purge},
	{"interference.pipe.write", "4096 bytes from user memory to user memory by a pipe",
	 no_buffer, read_all, NULL, write_all},
	{"interference.pipe.read", "k_pipe_read(), 24 wait to write", no_buffer, write_byte, NULL,
	 read_byte},
	{"interference.pipe.reset", "k_pipe_reset(), 24 wait to write", no_buffer, write_byte, NULL,
	 close_pipe},
	{"interference.queue.peek", "k_queue_peek_tail() of 128 items", prepare_queue, NULL, NULL,
	 peek},
	{"interference.object.alloc", "k_object_alloc_size() with 16384 bytes", NULL, NULL, release,
	 allocate},
	{"interference.object.release", "k_object_release() of a queue of 128 items", NULL, NULL,
	 make_full_queue, release},
	{"interference.thread.create", "k_thread_create() with a stack of 8192 bytes", NULL, NULL,
	 abort_spare, create},
	{"interference.thread.abort", "k_thread_abort() of a thread that 24 join", create, join,
	 create_anew, abort_spare},
	{"interference.poll", "k_poll(), 24 poll", NULL, poll, NULL, poll_once},
	{"interference.timer.stop", "k_timer_stop(), 24 wait for it", NULL, await_timer,
	 start_timer, stop_timer},
	{"interference.mutex.chain", "Owners of 11 mutexes that wait for one another", NULL, chain,
	 NULL, lock_last},
	{"interference.msgq.put", "k_msgq_put() of 1024 bytes to who waits for them", empty_msgq,
	 get_long, NULL, put_message},
	{"interference.msgq.front", "k_msgq_put_front() of 1024 bytes", empty_msgq, NULL,
	 purge_messages, put_message_in_front},
	{"interference.msgq.get", "k_msgq_get() of 1024 bytes, 24 wait to put", empty_msgq,
	 put_long, NULL, get_message},
	{"interference.msgq.peek", "k_msgq_peek() of 1024 bytes", empty_msgq, put_long, NULL,
	 peek_message},
	{"interference.ipc.call", "k_ipc_call() with 1024 bytes, and as many back", NULL, serve,
	 NULL, call_with_bytes},
	{"interference.ipc.receive", "k_ipc_receive() of 1024 bytes, 24 have sent", NULL,
	 call_server, NULL, receive_bytes},
};
const size_t num_attacks = ARRAY_SIZE(attacks);

void attacks_admit(k_tid_t thread)
{
	(void)k_mem_domain_add_thread(&domain, thread);
	k_thread_heap_assign(thread, &attack_pool);
	k_thread_access_grant(thread, &sem, &mutex, &condvar, &event, &queue, &pipe, &msgq);
	k_thread_access_grant(thread, &timer, &spare, &spare_stack, thread);
	k_thread_access_grant(thread, &long_msgq, &endpoint, &gate);
	for (int i = 0; i < MUTEXES; i++) {
		k_thread_access_grant(thread, &mutexes[i]);
	}
}

void attacks_begin(void)
{
	extern struct k_mem_partition control_memory;
	struct k_mem_partition *partitions[] = {&attack_memory, &control_memory};

	(void)k_mem_domain_init(&domain, ARRAY_SIZE(partitions), partitions);
	k_queue_init(&queue);
	k_msgq_init(&msgq, msgq_ring, sizeof(msgq_ring), 1);
	k_msgq_init(&long_msgq, long_ring, LONG, 1);
	k_timer_init(&timer, NULL, NULL);
	for (int i = 0; i < MUTEXES; i++) {
		(void)k_mutex_init(&mutexes[i]);
	}
	k_thread_heap_assign(k_current_get(), &attack_pool);
}
