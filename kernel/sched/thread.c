/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a thread: created, started, suspended, resumed, ended, joined. */
#include "kernel/sched/sched.h"
#include "kernel/time/timeout.h"
#include "kernel/time/clock.h"
#include "kernel/objects/mutex.h"
#include "kernel/inspect/object.h"
#include "lib/string.h"

#ifdef CONFIG_32BIT
BUILD_ASSERT(offsetof(struct k_thread, stack_size) + sizeof(size_t) == 64,
	     "the thread control block has grown, options apart");
#endif

#define STACK_FILL 0xaa /* CONFIG_INIT_STACKS */

/* k_thread_create() sets eight fields with two stores of a word. */
BUILD_ASSERT(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "k_thread.attributes");
BUILD_ASSERT((uint8_t)THRESHOLD_NEVER == 0x80U, "k_thread.attributes");

static __noinline k_tid_t start_after(struct k_thread *thread, k_timeout_t delay)
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

k_tid_t k_thread_create(struct k_thread *thread, k_thread_stack_t *stack, size_t size,
			k_thread_entry_t entry, void *p1, void *p2, void *p3, int prio,
			uint32_t options, k_timeout_t delay)
{
	uint32_t byte = (uint8_t)prio;

	K_ASSERT(prio >= K_HIGHEST_THREAD_PRIO && prio <= K_LOWEST_THREAD_PRIO, "bad-priority");
	K_ASSERT(!arch_in_isr(), "thread-create-in-isr");
#ifdef CONFIG_INIT_STACKS
	memset(stack, STACK_FILL, size);
#endif
	thread->sp = arch_stack_init(stack + size, entry, p1, p2, p3);
	thread->stack_start = stack;
	thread->stack_size = size;
	thread->attributes[0] = byte | (uint32_t)(prio < 0 ? 0x80U : byte) << 8 |
				K_THREAD_PRESTART << 16 | options << 24;
	thread->attributes[1] = byte;
	thread->joiners.head = NULL;
	thread->contended = NULL;
	thread->resource_pool = k_cpu.current->resource_pool;
	period_created(thread);
	trace_thread_created(thread, prio);
#ifdef CONFIG_THREAD_NAME
	thread->name = "";
#endif
#ifdef CONFIG_THREAD_CUSTOM_DATA
	thread->custom_data = NULL;
#endif
	stackguard_thread_init(thread);
	usage_thread_init(thread);
	slice_thread_init(thread);
	object_thread_created(thread);
	return likely(delay.ticks == K_TICKS_FOREVER) ? thread : start_after(thread, delay);
}

void thread_exit(void)
{
	k_thread_abort(k_current_get());
	__builtin_unreachable();
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

/* The usual case of it: nothing else holds the thread, and it outranks a queued caller. */
static inline void allow_inline(struct k_thread *thread, unsigned int bit, unsigned int key)
{
	struct k_thread *current = k_cpu.current;

	if (thread->state == bit && current->state == K_THREAD_QUEUED &&
	    thread->prio < current->threshold && arch_may_switch(key)) {
		sched_check_wake(key);
		thread->state = 0;
		(void)sched_switch(current, thread, key);
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

void k_thread_start(k_tid_t thread)
{
	unsigned int key = arch_irq_lock();

	if (likely(thread->state == K_THREAD_PRESTART)) {
		allow_inline(thread, K_THREAD_PRESTART, key);
		return;
	}
	start_delayed(thread, key);
}

static __noinline void suspend_other(struct k_thread *thread, unsigned int key)
{
	if ((thread->state & (K_THREAD_SUSPENDED | K_THREAD_DEAD)) != 0) {
		arch_irq_unlock(key);
		return;
	}
	if ((thread->state & K_THREAD_QUEUED) != 0) {
		ready_remove(thread);
	}
	thread->state |= K_THREAD_SUSPENDED;
	slice_new_turn(thread);
	sched_stop(thread, key);
}

void k_thread_suspend(k_tid_t thread)
{
	unsigned int key = arch_irq_lock();

	if (thread == k_cpu.current && thread->state == 0 && arch_may_switch(key)) {
		sched_check();
		thread->state = K_THREAD_SUSPENDED;
		(void)sched_switch(thread, k_cpu.best, key);
		return;
	}
	suspend_other(thread, key);
}

void k_thread_resume(k_tid_t thread)
{
	unsigned int key = arch_irq_lock();

	if (likely((thread->state & K_THREAD_SUSPENDED) != 0)) {
		allow_inline(thread, K_THREAD_SUSPENDED, key);
		return;
	}
	arch_irq_unlock(key);
}

static __noinline void wake_joiners(struct k_thread *thread)
{
	/* Bound: the number of waiters. */
	while (thread->joiners.head != NULL) {
		sched_wake(thread->joiners.head, 0);
	}
}

static __noinline void abort_essential(struct k_thread *thread, unsigned int key)
{
	arch_irq_unlock(key);
	printk("essential thread %p ended\n", (void *)thread);
	k_panic();
}

/* It is the caller, or waits, or is waited for, or must not end. */
static __noinline void abort_involved(struct k_thread *thread, unsigned int key)
{
	if ((thread->options & K_ESSENTIAL) != 0) {
		abort_essential(thread, key);
		return;
	}
	if ((thread->state & K_THREAD_DEAD) != 0) {
		arch_irq_unlock(key);
		return;
	}
	sched_unlink(thread);
	thread->state = K_THREAD_DEAD;
	object_thread_ended(thread);
	slice_thread_ended(thread);
	wake_joiners(thread);
	if (thread == k_cpu.current) {
		sched_stop(thread, key);
	} else {
		sched_reschedule(key);
	}
}

static __noinline void abort_queued(struct k_thread *thread, unsigned int key)
{
	ready_remove_inline(thread);
	thread->state = K_THREAD_DEAD;
	object_thread_ended(thread);
	slice_thread_ended(thread);
	arch_irq_unlock(key);
}

void k_thread_abort(k_tid_t thread)
{
	unsigned int key = arch_irq_lock();
	unsigned int state = thread->state;

	period_ended(thread);
	if (unlikely((state & (K_THREAD_PENDING | K_THREAD_TIMED | K_THREAD_DEAD)) != 0 ||
		     thread->joiners.head != NULL || thread == k_cpu.current ||
		     (thread->options & K_ESSENTIAL) != 0)) {
		abort_involved(thread, key);
		return;
	}
	if ((state & K_THREAD_QUEUED) != 0) {
		abort_queued(thread, key);
		return;
	}
	thread->state = K_THREAD_DEAD;
	object_thread_ended(thread);
	slice_thread_ended(thread);
	arch_irq_unlock(key);
}

/* Would waiting for `thread` close a circle of threads that join one another? */
static bool joins_caller(const struct k_thread *thread)
{
	const struct k_thread *current = k_cpu.current;

	/* Bound: the threads that join one another in a row; a circle cannot exist yet. */
	while (thread != current) {
		if ((thread->state & K_THREAD_PENDING) == 0 ||
		    (thread->wait_flags & WAIT_FLAG_JOIN) == 0) {
			return false;
		}
		thread = CONTAINER_OF(thread->pended_on, struct k_thread, joiners);
	}
	return true;
}

int k_thread_join(k_tid_t thread, k_timeout_t timeout)
{
	unsigned int key = arch_irq_lock();

	if ((thread->state & K_THREAD_DEAD) != 0) {
		arch_irq_unlock(key);
		return 0;
	}
	if (timeout.ticks != 0 && !arch_in_isr() && joins_caller(thread)) {
		arch_irq_unlock(key);
		return -EDEADLK;
	}
	if (timeout.ticks != 0 && !arch_in_isr()) {
		k_cpu.current->wait_flags = WAIT_FLAG_JOIN;
	}
	return (int)sched_pend_slow(&thread->joiners, timeout, key, -EAGAIN);
}

k_tid_t k_current_get(void)
{
	return k_cpu.current;
}

int k_thread_name_set(k_tid_t thread, const char *name)
{
#ifdef CONFIG_THREAD_NAME
	(thread == NULL ? k_cpu.current : thread)->name = name;
	return 0;
#else
	return -ENOTSUP;
#endif
}

const char *k_thread_name_get(k_tid_t thread)
{
#ifdef CONFIG_THREAD_NAME
	return thread->name;
#else
	return "";
#endif
}

#ifdef CONFIG_THREAD_CUSTOM_DATA
void k_thread_custom_data_set(void *value)
{
	k_cpu.current->custom_data = value;
}

void *k_thread_custom_data_get(void)
{
	return k_cpu.current->custom_data;
}
#endif

void k_thread_heap_assign(k_tid_t thread, struct k_heap *heap)
{
	thread->resource_pool = heap;
}

void k_thread_system_pool_assign(k_tid_t thread)
{
	thread->resource_pool = k_system_heap();
}

int k_thread_stack_space_get(k_tid_t thread, size_t *unused_bytes)
{
#ifdef CONFIG_INIT_STACKS
	size_t reserved = stackguard_reserved(thread);
	size_t unused = reserved;

	if (thread->stack_start == NULL) {
		return -EINVAL;
	}
	/* Bound: the stack's size. */
	while (unused < thread->stack_size &&
	       (unsigned char)thread->stack_start[unused] == STACK_FILL) {
		unused++;
	}
	*unused_bytes = unused - reserved;
	return 0;
#else
	return -ENOTSUP;
#endif
}
