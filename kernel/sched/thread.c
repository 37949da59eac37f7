/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a thread: created, started, suspended, resumed, and its priority. */
#include "kernel/sched/sched.h"
#include "kernel/time/timeout.h"
#include "kernel/sched/earlier.h"
#include "kernel/sched/fpu.h"
#include "kernel/hooks/generation.h"
#include "kernel/hooks/inherit.h"
#include "kernel/sched/masked.h"
#include "kernel/sched/thread_create.h"
#include "kernel/sched/tls.h"
#include "kernel/hooks/object.h"
#include "kernel/hooks/registry.h"
#include "kernel/hooks/thread_facts.h"
#include "kernel/hooks/thread_ipc.h"
#include "kernel/hooks/poll.h"
#include "kernel/hooks/user.h"

#ifdef CONFIG_32BIT
BUILD_ASSERT(offsetof(struct k_thread, stack_size) + sizeof(size_t) ==
		     (IS_ENABLED(CONFIG_TIMEOUT_64BIT) ? 84 : 72),
	     "the thread control block has grown, options apart");
#endif

/* k_thread_create() sets eight fields with two stores of a word. */
BUILD_ASSERT(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "k_thread.attributes");
BUILD_ASSERT((uint8_t)THRESHOLD_NEVER == 0x80U, "k_thread.attributes");

__noinline k_tid_t thread_start_after(struct k_thread *thread, k_timeout_t delay)
{
	unsigned int key;

	if (delay.ticks == 0) {
		k_thread_start(thread);
		return thread;
	}
	key = arch_irq_lock();
	sched_arm_timeout(thread, delay, 0);
	arch_irq_unlock(key);
	return thread;
}

/* Of an application's thread: the idle thread's is its own. */
static inline bool prio_is_valid(int prio)
{
	return (unsigned int)prio - (unsigned int)K_HIGHEST_THREAD_PRIO < NUM_LEVELS - 1U;
}

/* All of the block but where it goes on, and what user mode's boundary keeps there. */
static inline void fill(struct k_thread *thread, char *stack, size_t size, int prio,
			uint32_t options, uint32_t state)
{
	uint32_t byte = (uint8_t)prio;

	thread->stack_start = stack;
	thread->stack_size = size;
	thread->attributes[0] = byte | (uint32_t)(prio < 0 ? 0x80U : byte) << 8 | state << 16 |
				options << 24;
	thread->attributes[1] = byte;
	if (IS_ENABLED(CONFIG_METAIRQ)) {
		sched_set_threshold(thread);
	}
	thread->joiners.head = NULL;
	thread->contended = NULL;
	thread->generation = GENERATION_NONE;
	thread->resource_pool = k_cpu.current->resource_pool;
	period_created(thread);
	trace_thread_created(thread, prio);
	thread_facts_init(thread);
	stackguard_thread_init(thread);
	usage_thread_init(thread);
	slice_thread_init(thread);
	deadline_thread_created(thread);
	fpu_thread_created(thread);
	ipc_thread_created(thread);
	poll_thread_created(thread);
	object_thread_created(thread);
}

void thread_fill_user(struct k_thread *thread, char *stack, size_t size, int prio, uint32_t options)
{
	registry_add(thread);
	if ((options & K_USER) == 0) { /* else it does so itself, in its own time: user_begin() */
		thread_facts_fill_stack(stack, size);
	}
	fill(thread, stack, size, prio, options, K_THREAD_DEAD);
}

static __noinline k_tid_t create_known(struct k_thread *thread, k_timeout_t delay)
{
	user_thread_known(thread);
	return delay.ticks == K_TICKS_FOREVER ? thread : thread_start_after(thread, delay);
}

static inline bool is_sound(int prio, size_t size)
{
	K_ASSERT(!arch_in_isr(), "thread-create-in-isr");
	K_ASSERT(prio_is_valid(prio), "bad-priority");
	K_ASSERT(size >= ARCH_STACK_MIN + tls_room(), "stack-too-small");
	return likely(prio_is_valid(prio) && size >= ARCH_STACK_MIN + tls_room());
}

/*
 * What the rare case is passed at once: of ten arguments in their places GCC would keep copies in
 * the usual one.
 */
struct creation {
	struct k_thread *thread;
	k_thread_stack_t *stack;
	size_t size;
	struct user_entry begins;
	int prio;
	uint32_t options;
	k_timeout_t delay;
};

/* A user's, or one that begins with rights. */
static __noinline k_tid_t create_with_rights(const struct creation *args)
{
	struct k_thread *thread = args->thread;
	size_t reserved = user_stack_reserved(args->stack);
	char *stack = args->stack + reserved;
	const struct user_entry *begins = &args->begins;

	if (!user_thread_fits(thread, args->stack, args->options)) {
		return NULL;
	}
	thread_fill_user(thread, stack, args->size, args->prio, args->options);
	(void)user_thread_created(thread, reserved); /* its block is known */
	if ((args->options & K_USER) != 0) {
		user_thread_made(thread, begins);
	} else {
		thread->sp = arch_stack_init(stack + args->size, begins->entry, begins->p1,
					     begins->p2, begins->p3);
	}
	thread->state = K_THREAD_PRESTART;
	return create_known(thread, args->delay);
}

/* Model: threads.start */
k_tid_t k_thread_create(struct k_thread *thread, k_thread_stack_t *stack, size_t size,
			k_thread_entry_t entry, void *p1, void *p2, void *p3, int prio,
			uint32_t options, k_timeout_t delay)
{
	size_t reserved;

	if (!is_sound(prio, size)) {
		return NULL;
	}
	if (unlikely(user_has_rights(options))) {
		return create_with_rights(&(struct creation){
			thread, stack, size, {entry, p1, p2, p3}, prio, options, delay});
	}
	reserved = user_stack_reserved(stack);
	stack += reserved;
	registry_add(thread);
	thread_facts_fill_stack(stack, size);
	thread->sp = arch_stack_init(tls_carve(thread, stack + size), entry, p1, p2, p3);
	fill(thread, stack, size, prio, options, K_THREAD_PRESTART);
	if (unlikely(user_thread_created(thread, reserved))) {
		return create_known(thread, delay);
	}
	return likely(delay.ticks == K_TICKS_FOREVER) ? thread : thread_start_after(thread, delay);
}

/* `thread` may run as far as `bit` is concerned; it does if nothing else holds it. */
static __noinline void allow(struct k_thread *thread, unsigned int bit, unsigned int key)
{
	thread->state &= (uint8_t)~bit;
	if (thread_is_ready(thread)) {
		sched_ready_switch(thread, key);
	} else {
		arch_irq_unlock(key);
	}
}

/*
 * The usual case of it: nothing else holds the thread, and it outranks the caller, which
 * is queued or not.
 */
static inline void allow_inline(struct k_thread *thread, unsigned int bit, unsigned int key)
{
	struct k_thread *current = k_cpu.current;

	if (FAST_PATHS && thread->state == bit && thread->prio < current->threshold &&
	    arch_may_switch(key)) {
		sched_check_wake(key);
		thread->state = 0;
		(void)sched_switch_preempting(current, thread, key);
		return;
	}
	allow(thread, bit, key);
}

static __noinline void start_delayed(struct k_thread *thread, unsigned int key)
{
	if ((thread->state & K_THREAD_PRESTART) == 0) {
		arch_irq_unlock(key);
		return;
	}
	if ((thread->state & K_THREAD_TIMED) != 0) {
		timeout_cancel(&thread->timeout);
		thread->state &= (uint8_t)~K_THREAD_TIMED;
	}
	allow(thread, K_THREAD_PRESTART, key);
}

static inline void start(struct k_thread *thread, unsigned int key)
{
	if (likely(thread->state == K_THREAD_PRESTART)) {
		allow_inline(thread, K_THREAD_PRESTART, key);
		return;
	}
	start_delayed(thread, key);
}

__noinline void k_thread_start(k_tid_t thread) /* not twice */
{
	start(thread, arch_irq_lock());
}

/* The traversal that it was to finish need not be its last. */
static __noinline void resume_traversing(struct k_thread *thread, unsigned int key)
{
	if (sched_traversal_is_finished(thread)) {
		thread->wait_flags &= (uint8_t)~TRAVERSAL_FLAG_STOPS;
	}
	arch_irq_unlock(key);
}

static __noinline void suspend_other(struct k_thread *thread, unsigned int key)
{
	if ((thread->state & (K_THREAD_SUSPENDED | K_THREAD_DEAD)) != 0) {
		arch_irq_unlock(key);
		return;
	}
	if (sched_traversal_is_finished(thread)) {
		thread->wait_flags |= TRAVERSAL_FLAG_STOPS;
		arch_irq_unlock(key);
		return;
	}
	thread_stop(thread);
	sched_stop(thread, key);
}

/* The caller itself, queued, comes first. */
static __noinline void suspend_slow(struct k_thread *thread, unsigned int key)
{
	if (unlikely(thread != k_cpu.current || thread == k_cpu.walker || !arch_may_switch(key))) {
		suspend_other(thread, key);
		return;
	}
	ready_unlink_inline(thread);
	thread->state = K_THREAD_SUSPENDED;
	(void)sched_switch(thread, k_cpu.best, key);
}

static inline void suspend(struct k_thread *thread, unsigned int key)
{
	if (thread == k_cpu.current && thread->state == 0 && arch_may_switch(key)) {
		sched_check();
		thread->state = K_THREAD_SUSPENDED;
		(void)sched_switch(thread, k_cpu.best, key);
		return;
	}
	suspend_slow(thread, key);
}

void k_thread_suspend(k_tid_t thread)
{
	suspend(thread, arch_irq_lock());
}

static inline void resume(struct k_thread *thread, unsigned int key)
{
	if (likely((thread->state & K_THREAD_SUSPENDED) != 0)) {
		allow_inline(thread, K_THREAD_SUSPENDED, key);
		return;
	}
	resume_traversing(thread, key);
}

void k_thread_resume(k_tid_t thread)
{
	resume(thread, arch_irq_lock());
}

#ifdef CONFIG_ARCH_USER_CALLS_MASKED
void thread_start_masked(struct k_thread *thread)
{
	start(thread, ARCH_IRQ_KEY_OPEN);
}

void thread_suspend_masked(struct k_thread *thread)
{
	suspend(thread, ARCH_IRQ_KEY_OPEN);
}

void thread_resume_masked(struct k_thread *thread)
{
	resume(thread, ARCH_IRQ_KEY_OPEN);
}
#endif

int k_thread_priority_get(k_tid_t thread)
{
	return thread->prio;
}

void k_thread_priority_set(k_tid_t thread, int prio)
{
	unsigned int key = arch_irq_lock();

	if (unlikely(!prio_is_valid(prio))) {
		K_ASSERT(false, "bad-priority");
		arch_irq_unlock(key);
		return;
	}
	if (unlikely(sched_lends_or_inherits(thread))) {
		inherit_prio_set(thread, prio, key);
		return;
	}
	if (unlikely((thread->wait_flags & TRAVERSAL_FLAG_CEILING) != 0)) {
		prio = sched_traversal_set_own_prio(thread, prio);
	}
	thread->base_prio = (int8_t)prio;
	sched_set_prio(thread, prio);
	slice_new_turn(thread);
	sched_reschedule(key);
}

k_tid_t k_current_get(void)
{
	return k_cpu.current;
}

void k_thread_heap_assign(k_tid_t thread, struct k_heap *heap)
{
	thread->resource_pool = heap;
}

void k_thread_system_pool_assign(k_tid_t thread)
{
	thread->resource_pool = heap_of_system();
}
