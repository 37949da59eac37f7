/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks along a wait queue past those whom they do not concern, with interrupts let in now and then: sched.h says when.
 *
 * Nobody joins meanwhile, for handlers do not wait and no thread runs; but handlers wake, end and move who waits. Whom the walk
 * stands on is marked, and whatever takes a thread out of its queue takes the mark away; moves are noted, for a waiter may
 * get in front of where the walk stands. After either the walk begins anew. Rejected: beginning anew after each window,
 * which is masked for as long as it has come; and a count of all of a queue's changes, which each wake-up would pay for.
 */
#include "kernel/sched/sched.h"

#define STEPS 8U /* that are masked in a row */

bool sched_moved;

struct k_thread *sched_walk_on(const _wait_q_t *wait_q, struct k_thread *thread, unsigned int key)
{
	const bool moved_before =
		sched_moved; /* in the window of a walk that this one interrupts */
	bool is_lost;

	if (thread == NULL || (key & ARCH_IRQ_KEY_BIT) != ARCH_IRQ_KEY_OPEN) {
		return thread;
	}
	thread->wait_flags |= WAIT_FLAG_STOOD_ON;
	sched_moved = false;
	sched_walk_window(key);
	is_lost = *(volatile bool *)&sched_moved || (thread->wait_flags & WAIT_FLAG_STOOD_ON) == 0;
	sched_moved |= moved_before;
	thread->wait_flags &= (uint8_t)~WAIT_FLAG_STOOD_ON;
	return is_lost ? wait_q->head : thread;
}

struct k_thread *sched_walk_past(const _wait_q_t *wait_q, struct k_thread *thread,
				 unsigned int *steps, unsigned int key)
{
	struct k_thread *next = wait_q_next(wait_q, thread);

	(*steps)++;
	return *steps % STEPS == 0 ? sched_walk_on(wait_q, next, key) : next;
}

bool sched_walk_stop(unsigned int key)
{
	struct k_thread *current = k_cpu.current;

	if (!arch_may_switch(key)) {
		return true;
	}
	k_cpu.walker = NULL;
	sched_set_threshold(current);
	slice_goes_on(current);
	if (likely(thread_is_ready(current))) {
		return true;
	}
	(void)sched_switch(current, k_cpu.best, key);
	(void)arch_irq_lock();
	return false;
}
