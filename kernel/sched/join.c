/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for a thread's end. thread_end.c calls what is here only for one that somebody waits for: join.h. */
#include "kernel/sched/generation.h"
#include "kernel/sched/join.h"
#include "kernel/sched/sched.h"

bool join_wake_all(struct k_thread *thread, unsigned int key)
{
	const uint32_t generation = generation_of(thread);

	/* Bound: the joiners, and those that come between two steps, each more urgent than any before. */
	while (thread->joiners.head != NULL && thread->generation == generation) {
		(void)sched_wake_all(&thread->joiners, 0, key);
		sched_walk_window(key); /* so what is behind it is a step of its own */
	}
	if (thread->generation != generation) {
		sched_walk_end(key);
		return true;
	}
	return false;
}

void join_walk_end(unsigned int key)
{
	sched_walk_end(key);
}

int join_wait(struct k_thread *thread, k_timeout_t timeout, unsigned int key)
{
	if (timeout.ticks != 0 && !arch_in_isr()) {
		k_cpu.current->wait_flags = WAIT_FLAG_JOIN;
	}
	return (int)sched_pend_slow(&thread->joiners, timeout, key, -EAGAIN);
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
	return join_wait(thread, timeout, key);
}
