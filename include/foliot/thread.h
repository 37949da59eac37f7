/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Threads and the scheduler.
 *
 * Priorities: lower is more urgent. Negative: cooperative, never preempted by
 * another thread, but for the CONFIG_NUM_METAIRQ_PRIORITIES most urgent ones, whose threads
 * preempt any less urgent one, also under k_sched_lock(); that one then goes on before all
 * others that are no meta-IRQs. Zero and above: preemptible. The highest ready priority runs;
 * among equals, first come, first served, or the one with the earliest deadline
 * (k_thread_deadline_set()).
 */
#ifndef FOLIOT_THREAD_H
#define FOLIOT_THREAD_H

#include <foliot/util.h>
#include <foliot/time.h>
#include <foliot/wait_q.h>
#include <foliot/obj_core.h>
#include <foliot/period.h>
#ifdef CONFIG_ARCH_FPU_STATE
#include <arch_fpu.h>
#endif
#ifdef CONFIG_USERSPACE
#include <arch_user.h>
#endif
#ifdef CONFIG_IPC
#include <foliot/ipc.h>
#endif

struct k_heap;
struct k_mutex;
struct k_poller;

/** The x-th most urgent cooperative priority. */
#define K_PRIO_COOP(x)                    (-(CONFIG_NUM_COOP_PRIORITIES - (x)))
/** The x-th most urgent preemptible priority. */
#define K_PRIO_PREEMPT(x)                 (x)
/** The most urgent priority. */
#define K_HIGHEST_THREAD_PRIO             (-CONFIG_NUM_COOP_PRIORITIES)
/** The least urgent priority, the idle thread's own. */
#define K_LOWEST_THREAD_PRIO              CONFIG_NUM_PREEMPT_PRIORITIES
/** The same. */
#define K_IDLE_PRIO                       K_LOWEST_THREAD_PRIO
/** The most urgent priority that an application's thread may have. */
#define K_HIGHEST_APPLICATION_THREAD_PRIO K_HIGHEST_THREAD_PRIO
/** The least urgent priority that an application's thread may have. */
#define K_LOWEST_APPLICATION_THREAD_PRIO  (K_LOWEST_THREAD_PRIO - 1)

/* Options of k_thread_create(). */
#define K_ESSENTIAL     BIT(0) /**< its end is fatal to the system */
#define K_FP_REGS       BIT(1) /**< reserved: uses floating point */
#define K_USER          BIT(2) /**< user mode: see user.h */
#define K_INHERIT_PERMS BIT(3) /**< it may use what its creator may (user.h) */

/* Bits of k_thread.state; a thread with none of the first four is ready or runs. */
#define K_THREAD_PENDING   0x01U /**< waits for an object, or sleeps */
#define K_THREAD_SUSPENDED 0x02U /**< k_thread_suspend() */
#define K_THREAD_PRESTART  0x04U /**< created, not started */
#define K_THREAD_DEAD      0x08U /**< ended or aborted */
#define K_THREAD_TIMED     0x10U /**< its timeout is armed */
#define K_THREAD_PERIOD    0x20U /**< PENDING in k_period_wait() */
#define K_THREAD_STOOD_ON \
	0x40U /**< PENDING, and a traversal goes on from it (kernel/sched/traversal.c) */
#define K_THREAD_QUEUED 0x80U /**< in the ready queue */

/** What a thread executes; the thread ends when it returns. Context: thread. */
typedef void (*k_thread_entry_t)(void *p1, void *p2, void *p3);

struct k_thread;
/** Called when a turn of `thread` ends, see k_thread_time_slice_set(). Context: ISR. */
typedef void (*k_thread_timeslice_fn_t)(struct k_thread *thread, void *data);

/** Internal: what a thread executes, counted at each switch from it (see usage.h). */
struct thread_sums {
	uint64_t total; /* counts of arch_cycles() */
	uint32_t last; /* counts, of the window that ended last, since the counter was looked at */
	union {
		struct {
			uint32_t longest; /* counts, between two switches */
			uint32_t windows; /* switches from it */
		};
		uint64_t longest_and_windows; /* both at once */
	};
};

/** Internal: the same, and whether it is being counted. */
struct thread_usage {
	struct thread_sums sums;
	struct thread_sums frozen; /* what they were when gathering was switched off, */
	uint64_t frozen_window; /* and the window that was open, or had ended last, then */
	bool is_tracked;
};

#ifdef CONFIG_USERSPACE
struct k_mem_domain;

/** Internal: what a thread may use and touch; kernel threads pass it on. */
struct thread_user {
	struct k_mem_domain *domain; /* first, and what is the port's: assembly looks at them */
	struct arch_user_thread arch; /* a user thread's */
#ifdef CONFIG_IPC
	struct ipc_words message; /* what it sends, or has received; assembly looks at it, too */
#endif
	uint32_t grants[CONFIG_USER_OBJECTS / 32]; /* a bit for each entry of the objects' table */
	union { /* allocated objects that it is in a call with: their entries, from 1 on */
		uint16_t held[2];
		uint32_t both_held;
	};
	uint8_t newest_held; /* the lowest bit: which of them */
	uint8_t may_refer; /* it has had a right to one that was allocated; has its generation */
#ifdef CONFIG_POLL
	struct references_polled *polled; /* of a k_poll() that it is in */
#endif
};
#endif

/**
 * A thread. Its order is the order of use: what a switch and a hand-over touch lies
 * in the first 32 bytes. 80 bytes in the default build (asserted in kernel/sched/thread.c);
 * what a feature needs is appended at the end by that feature's option, so nothing
 * in front ever moves and no assembly offset changes.
 */
struct k_thread {
	void *sp; /* saved stack pointer while not running (arch) */
	struct k_thread *next; /* in the ready queue or in a wait queue: never in both */
	struct k_thread *prev;
	intptr_t wake_value; /* what the blocking call returns; before: the waiter's request */
	uintptr_t wake_data; /* a word for the waiter, from its waker; before: its request */
	union {
		struct {
			int8_t prio; /* effective, with inheritance */
			int8_t threshold; /* who is woken preempts this one if its prio is below */
			uint8_t state; /* K_THREAD_* */
			uint8_t options; /* K_ESSENTIAL... */
			int8_t base_prio; /* from its creator or k_thread_priority_set() */
			uint8_t sched_locks; /* k_sched_lock() depth */
			int8_t timeout_value; /* of a timed wait whose time is over */
			uint8_t wait_flags; /* the waiter's, seen by the waker (event.c) */
		};
		uint32_t attributes[2]; /* all of them at once, for k_thread_create() */
	};
	_wait_q_t *pended_on; /* while PENDING; NULL when it only sleeps */
	/* its name for what is not told of its end (kernel/hooks/generation.h) */
	uint32_t generation;
	struct timeout timeout;
	_wait_q_t joiners;
	struct k_mutex *contended; /* mutexes it holds that others wait for */
	struct k_heap *resource_pool;
	char *stack_start;
	size_t stack_size; /* bytes */
	/* These two before the others: assembly looks at them. */
#ifdef CONFIG_STACK_GUARD
	uintptr_t stack_guard_end; /* of the guard: it stays there while the thread lives */
#endif
#ifdef CONFIG_ARCH_FPU_STATE
	struct arch_fpu *fpu; /* its floating-point registers; NULL: it has not used them */
#endif
#ifdef CONFIG_THREAD_LOCAL_STORAGE
	void *tls; /* the thread pointer, as the machine's ABI has it */
#endif
#ifdef CONFIG_USERSPACE
	struct thread_user user;
#endif
#ifdef CONFIG_THREAD_NAME
	char name[CONFIG_THREAD_MAX_NAME_LEN]; /* the last byte is always its end */
#endif
#ifdef CONFIG_THREAD_CUSTOM_DATA
	void *custom_data;
#endif
#ifdef CONFIG_ERRNO
	int errno_value;
#endif
#ifdef CONFIG_PERIODIC
	struct thread_period period;
#endif
#ifdef CONFIG_TRACE
	uint32_t trace_levels; /* the signals while it runs */
#endif
#ifdef CONFIG_THREAD_USAGE
	struct thread_usage usage;
#endif
#ifdef CONFIG_TIMESLICING
	int64_t slice_used; /* of its turn, cycles of the timer; below 0: it gets more */
#endif
#ifdef CONFIG_TIMESLICE_PER_THREAD
	uint32_t slice_ticks; /* a turn's length of its own; 0: the system's */
	k_thread_timeslice_fn_t slice_expired;
	void *slice_data;
#endif
#ifdef CONFIG_THREAD_REGISTRY
	struct k_thread *registry_next;
	struct k_thread **registry_link; /* what points to this one */
#endif
#ifdef CONFIG_ARCH_FPU_STATE
	struct arch_fpu fpu_state; /* while they are not in the core */
#endif
#ifdef CONFIG_POLL
	struct k_poller *poller; /* while it is in k_poll() */
#endif
#ifdef CONFIG_IPC
	struct thread_ipc ipc;
#endif
#ifdef CONFIG_SCHED_DEADLINE
	uint32_t deadline; /* of k_cycle_get_32() */
	bool has_deadline;
#endif
	struct k_thread *next_named; /* of those that have a generation */
	struct k_thread *peer; /* of a priority's first in a wait queue: the last; or reverse */
	K_OBJ_CORE_MEMBER
	K_OBJECT_MEMBER
};

/** Names a thread. */
typedef struct k_thread *k_tid_t;
/** What stacks are arrays of. */
typedef char k_thread_stack_t;

#define ROUND_UP_CONST_(x, a) ((((x) + (a) - 1) / (a)) * (a))

#ifdef CONFIG_USERSPACE
#define K_STACK_RESERVED_    ARCH_USER_STACK_RESERVED
#define K_STACK_SECTION_     __attribute__((section(".user_stacks")))
#define K_STACK_ALIGN_(size) ARCH_USER_STACK_ALIGN(size)
#define K_STACK_LEN_(size)   ARCH_USER_STACK_LEN(size)
#else
#define K_STACK_RESERVED_    0
#define K_STACK_SECTION_     __noinit
#define K_STACK_ALIGN_(size) ARCH_STACK_ALIGN
#define K_STACK_LEN_(size)   ROUND_UP_CONST_(size, ARCH_STACK_ALIGN)
#endif

/** Bytes that a stack of `size` bytes takes. */
#define K_THREAD_STACK_LEN(size) K_STACK_LEN_(size)
/** Define a stack of `size` bytes, rounded up as the architecture needs it. */
#define K_THREAD_STACK_DEFINE(sym, size)                                  \
	k_thread_stack_t K_STACK_SECTION_ __aligned(K_STACK_ALIGN_(size)) \
		sym[K_THREAD_STACK_LEN(size)]
/** Define `n` stacks of `size` bytes each. */
#define K_THREAD_STACK_ARRAY_DEFINE(sym, n, size)                         \
	k_thread_stack_t K_STACK_SECTION_ __aligned(K_STACK_ALIGN_(size)) \
		sym[n][ROUND_UP_CONST_(K_THREAD_STACK_LEN(size), K_STACK_ALIGN_(size))]
/** Declare stacks that another file defines. */
#define K_THREAD_STACK_ARRAY_DECLARE(sym, n, size) \
	extern k_thread_stack_t                    \
		sym[n][ROUND_UP_CONST_(K_THREAD_STACK_LEN(size), K_STACK_ALIGN_(size))]
/** Declare a stack that another file defines. */
#define K_THREAD_STACK_DECLARE(sym, size) extern k_thread_stack_t sym[K_THREAD_STACK_LEN(size)]
/** A stack's size in bytes, as k_thread_create() takes it. */
#define K_THREAD_STACK_SIZEOF(sym)        (sizeof(sym) - K_STACK_RESERVED_)
/** K_THREAD_STACK_DEFINE() for a thread that never enters user mode. */
#define K_KERNEL_STACK_DEFINE(sym, size)                      \
	k_thread_stack_t __noinit __aligned(ARCH_STACK_ALIGN) \
		sym[ROUND_UP_CONST_(size, ARCH_STACK_ALIGN)]
/** Bytes that such a stack of `size` bytes takes. */
#define K_KERNEL_STACK_LEN(size) ROUND_UP_CONST_(size, ARCH_STACK_ALIGN)
/** Define `n` such stacks. */
#define K_KERNEL_STACK_ARRAY_DEFINE(sym, n, size) \
	k_thread_stack_t __noinit __aligned(ARCH_STACK_ALIGN) sym[n][K_KERNEL_STACK_LEN(size)]
/** Declare such a stack that another file defines. */
#define K_KERNEL_STACK_DECLARE(sym, size) extern k_thread_stack_t sym[K_KERNEL_STACK_LEN(size)]
/** Declare such stacks. */
#define K_KERNEL_STACK_ARRAY_DECLARE(sym, n, size) \
	extern k_thread_stack_t sym[n][K_KERNEL_STACK_LEN(size)]
/** Such a stack inside of a structure. */
#define K_KERNEL_STACK_MEMBER(sym, size) \
	k_thread_stack_t __aligned(ARCH_STACK_ALIGN) sym[K_KERNEL_STACK_LEN(size)]
/** K_THREAD_STACK_SIZEOF() for such a stack. */
#define K_KERNEL_STACK_SIZEOF(sym) sizeof(sym)

/**
 * Create a thread on `stack` of `size` bytes. delay: K_NO_WAIT starts it at once,
 * K_FOREVER leaves it to k_thread_start(), anything else starts it after that time.
 * `thread` may be uninitialised memory or a thread that has ended; what happens to one that
 * still lives is undefined (asserted: create-over-a-live-thread). `prio` lies between
 * K_HIGHEST_APPLICATION_THREAD_PRIO and K_LOWEST_APPLICATION_THREAD_PRIO; `options` are
 * K_ESSENTIAL and the like. It inherits the caller's resource pool.
 * Returns `thread`, or NULL, and creates nothing: a priority out of range (asserted:
 * bad-priority), or less stack than ARCH_STACK_MIN (asserted: stack-too-small).
 * Context: thread (asserted: thread-create-in-isr).
 */
k_tid_t k_thread_create(struct k_thread *thread, k_thread_stack_t *stack, size_t size,
			k_thread_entry_t entry, void *p1, void *p2, void *p3, int prio,
			uint32_t options, k_timeout_t delay);

/**
 * Take a stack from the pool (CONFIG_DYNAMIC_THREAD), of at least `size` bytes and at most
 * CONFIG_DYNAMIC_THREAD_STACK_SIZE; `flags` is 0 or K_USER. k_thread_create() takes
 * `size`. With CONFIG_USERSPACE the caller has access to it, and it goes back, too, when no
 * thread has access to it, nor lives on it.
 * Returns it, or NULL: too large, none is left, or there is no pool.
 * Context: thread.
 */
k_thread_stack_t *k_thread_stack_alloc(size_t size, int flags);

/**
 * Give it back; the thread that lived on it has ended.
 * Returns 0; -EINVAL: it is none that k_thread_stack_alloc() gave; -EBUSY: a thread lives on
 * it (seen with CONFIG_USERSPACE only); -ENOTSUP without CONFIG_DYNAMIC_THREAD.
 * Context: thread.
 */
int k_thread_stack_free(k_thread_stack_t *stack);

/** Start a created thread; no effect on one already started. Context: either. */
void k_thread_start(k_tid_t thread);

/**
 * Keep `thread` from running until k_thread_resume(). What it waits for goes on: a
 * wait or sleep that ends meanwhile is delivered at the resume. Does not nest.
 * Context: either; a thread may suspend itself.
 */
void k_thread_suspend(k_tid_t thread);
/** Undo k_thread_suspend(); no effect on a thread not suspended. Context: either. */
void k_thread_resume(k_tid_t thread);

/**
 * End `thread`: it leaves every queue, its joiners wake. Mutexes it holds stay
 * locked: see mutex.h. Its memory may be used again at once. Aborting an essential thread is a
 * fatal error. No effect on one that has ended. One that is about to wake many does that first,
 * which the caller waits for; a handler does not, and is to wait for the end (k_thread_join(),
 * elsewhere) before the memory is used again. Context: either.
 */
void k_thread_abort(k_tid_t thread);

/**
 * Wait until `thread` has ended.
 * Returns 0; -EBUSY: it has not, and K_NO_WAIT was given; -EAGAIN: timed out, or called
 * from an ISR that would have had to wait (asserted: blocking-call-in-isr); -EDEADLK: it is
 * the caller, or joins the caller, directly or through others.
 * Context: thread (ISR with K_NO_WAIT).
 */
int k_thread_join(k_tid_t thread, k_timeout_t timeout);

/**
 * Let other ready threads of the same priority run first; a cooperative caller lets more
 * urgent ones run, too.
 * Context: thread (asserted: yield-in-isr).
 */
void k_yield(void);

/**
 * Sleep. K_NO_WAIT is k_yield(); K_FOREVER sleeps until k_wakeup().
 * Returns 0, or, when k_wakeup() ended it, the milliseconds that were left, rounded up, at
 * most INT32_MAX; -1 after K_FOREVER. In an ISR (asserted: blocking-call-in-isr) it does
 * nothing and returns the whole time.
 * Context: thread.
 */
int32_t k_sleep(k_timeout_t timeout);

/**
 * As k_sleep() for `ms` milliseconds; 0 or less is k_yield().
 * Returns the milliseconds that were left, or 0.
 * Context: thread.
 */
int32_t k_msleep(int32_t ms);

/**
 * As k_sleep() for `us` microseconds, rounded up to ticks; 0 or less is k_yield().
 * Returns the microseconds that were left, at most INT32_MAX, or 0.
 * Context: thread.
 */
int32_t k_usleep(int32_t us);

/**
 * End a thread's sleep or k_period_wait(); no effect on one that waits for an object.
 * Context: either.
 */
void k_wakeup(k_tid_t thread);

/** Returns the running thread; in an ISR, the one it interrupted. Context: either. */
k_tid_t k_current_get(void);
/** The same under the name of Zephyr's system call. Context: either. */
#define k_sched_current_thread_query k_current_get

/** Returns the priority a thread runs at, an inherited one included. Context: either. */
int k_thread_priority_get(k_tid_t thread);

/**
 * Change a thread's own priority, and with it what the owners of mutexes that it waits for
 * inherit. May switch. No effect where `prio` is not one that k_thread_create() takes
 * (asserted: bad-priority).
 * Context: either.
 */
void k_thread_priority_set(k_tid_t thread, int prio);

/**
 * With CONFIG_SCHED_DEADLINE: of threads of one priority the one with the earliest deadline runs,
 * and is the first to be woken where several wait; one that never got one comes after all that
 * have. Sets that of `thread` to `deadline` cycles of k_cycle_get_32() from now, where
 * less than 0 is 0. Deadlines are compared modulo 2^32, and are to lie within 2^31 cycles of one
 * another. A mutex passes on priorities, and no deadlines. Nobody is preempted by the call itself,
 * but at the end of the ISR it comes from, and by the next one that readies a thread, or
 * k_reschedule().
 * Context: either.
 */
void k_thread_deadline_set(k_tid_t thread, int deadline);

/**
 * As k_thread_deadline_set(); `deadline` is the count of k_cycle_get_32() itself. Context: either.
 */
void k_thread_absolute_deadline_set(k_tid_t thread, int deadline);

/**
 * Let a thread that may preempt the caller do so: at once, from an ISR at its end, and with
 * interrupts masked when they are open again.
 * Context: either.
 */
void k_reschedule(void);

/**
 * Make the caller cooperative until as many k_sched_unlock(). It may still block, which
 * lets others run. The depth is at most 255 (asserted: sched-lock-too-deep).
 * Context: thread (asserted: sched-lock-in-isr).
 */
void k_sched_lock(void);

/**
 * Undo one k_sched_lock() (asserted: sched-unlock-without-lock); the last one may switch.
 * Context: thread (asserted: sched-unlock-in-isr).
 */
void k_sched_unlock(void);

/** Returns 1 when another thread may preempt the caller now, else 0. Context: either (0 in ISR). */
int k_is_preempt_thread(void);
/** Returns true before main() and the static threads run. Context: either. */
bool k_is_pre_kernel(void);

/**
 * Name a thread (NULL: the caller). The name is copied, of it at most what
 * CONFIG_THREAD_MAX_NAME_LEN bytes hold with their end; from user mode a longer one is refused.
 * Returns 0; -ENOSYS without CONFIG_THREAD_NAME; -EINVAL: from user mode, and longer.
 * Context: either.
 */
int k_thread_name_set(k_tid_t thread, const char *name);
/** Returns a thread's name; "" without one or CONFIG_THREAD_NAME. Context: either. */
const char *k_thread_name_get(k_tid_t thread);

/**
 * Copy a thread's name into `buf` of `size` bytes.
 * Returns 0; -ENOSPC: it does not fit with its end, and nothing is copied; -ENOSYS without
 * CONFIG_THREAD_NAME.
 * Context: either.
 */
int k_thread_name_copy(k_tid_t thread, char *buf, size_t size);

/** Set the caller's own word (CONFIG_THREAD_CUSTOM_DATA); NULL at first. Context: thread. */
void k_thread_custom_data_set(void *value);
/** Returns the caller's own word. Context: thread. */
void *k_thread_custom_data_get(void);

/**
 * Make `heap` the thread's resource pool (NULL: none), from which its k_queue_alloc_append(),
 * k_msgq_alloc_init() and the like draw.
 * Context: either.
 */
void k_thread_heap_assign(k_tid_t thread, struct k_heap *heap);
/** Make the system heap its resource pool. Context: either. */
void k_thread_system_pool_assign(k_tid_t thread);

/**
 * Count the bytes of the stack that were never used, by a traversal over them.
 * Returns 0; -ENOTSUP without CONFIG_INIT_STACKS; -EINVAL: the thread has no stack.
 * Context: thread.
 */
int k_thread_stack_space_get(k_tid_t thread, size_t *unused_bytes);

/**
 * Time until the thread's time-out: the end of its sleep, the limit of its wait for an
 * object, or its delayed start.
 * Returns ticks; 0 when no time-out is armed or it is due.
 * Context: either.
 */
k_ticks_t k_thread_timeout_remaining_ticks(k_tid_t thread);

/**
 * When that is.
 * Returns the uptime tick, modulo 2^32; that of now when no time-out is armed.
 * Context: either.
 */
k_ticks_t k_thread_timeout_expires_ticks(k_tid_t thread);

/** Internal: what K_THREAD_DEFINE() leaves for start-up. */
struct k_thread_static {
	struct k_thread *thread;
	k_thread_stack_t *stack;
	size_t stack_size;
	k_thread_entry_t entry;
	void *p1, *p2, *p3;
	int prio;
	uint32_t options;
	k_timeout_t delay;
	const char *name;
};

/**
 * Define a thread `name_` with a stack of `size_` bytes, started before main(), `delay_ms_`
 * milliseconds later, or, where that is negative, by k_thread_start(); at file scope.
 */
#define K_THREAD_DEFINE(name_, size_, entry_, p1_, p2_, p3_, prio_, options_, delay_ms_) \
	BUILD_ASSERT((prio_) >= K_HIGHEST_APPLICATION_THREAD_PRIO &&                     \
			     (prio_) <= K_LOWEST_APPLICATION_THREAD_PRIO,                \
		     "not a priority that threads may have: " #name_);                   \
	K_THREAD_STACK_DEFINE(_k_stack_##name_, size_);                                  \
	struct k_thread _k_thread_obj_##name_;                                           \
	static const STRUCT_SECTION_ITERABLE(k_thread_static, k_thread_static,           \
					     _k_thread_static_##name_) = {               \
		.thread = &_k_thread_obj_##name_,                                        \
		.stack = _k_stack_##name_,                                               \
		.stack_size = K_THREAD_STACK_SIZEOF(_k_stack_##name_),                   \
		.entry = (k_thread_entry_t)(entry_),                                     \
		.p1 = (void *)(p1_),                                                     \
		.p2 = (void *)(p2_),                                                     \
		.p3 = (void *)(p3_),                                                     \
		.prio = (prio_),                                                         \
		.options = (options_),                                                   \
		.delay = {(int)(delay_ms_) < 0 ? K_TICKS_FOREVER                         \
					       : K_TICKS_CEIL_(delay_ms_, 1000ULL)},     \
		.name = #name_,                                                          \
	};                                                                               \
	extern const k_tid_t name_; /* in C++ a constant would be this file's own */     \
	const k_tid_t name_ = &_k_thread_obj_##name_
/** The same for a thread that never enters user mode. */
#define K_KERNEL_THREAD_DEFINE K_THREAD_DEFINE

#endif /* FOLIOT_THREAD_H */
