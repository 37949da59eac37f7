/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting for a thread's end. thread_end.c calls what is here only for one that somebody waits for:
 * join.h.
 */
#include "kernel/hooks/generation.h"
#include "kernel/sched/join.h"
#include "kernel/sched/sched.h"

bool join_wake_all(struct k_thread *thread, unsigned int key)
{
	const uint32_t generation = generation_of(thread);

	sched_traversal_window(key); /* what led here was a step */
	/*
	 * Bound: W * (D + 1), the joiners, and those that come between two steps, each more urgent
	 * than any before.
	 */
	while (thread->joiners.head != NULL && thread->generation == generation) {
		(void)sched_wake_all(&thread->joiners, 0, key);
		sched_traversal_window(key); /* so what is behind it is a step of its own */
	}
	if (thread->generation != generation) {
		sched_traversal_end(key);
		return true;
	}
	return false;
}

static uint32_t waits; /* for threads' ends that have begun */

int join_wait(struct k_thread *thread, k_timeout_t timeout, unsigned int key)
{
	if (timeout.ticks != 0 && !arch_in_isr()) {
		k_cpu.current->wait_flags = WAIT_FLAG_JOIN;
		waits++;
	}
	return (int)sched_pend_slow(&thread->joiners, timeout, key, -EAGAIN);
}

/* Whom `thread` joins; NULL: nobody. */
static struct k_thread *joined_by(const struct k_thread *thread)
{
	if ((thread->state & K_THREAD_PENDING) == 0 || (thread->wait_flags & WAIT_FLAG_JOIN) == 0) {
		return NULL;
	}
	return CONTAINER_OF(thread->pended_on, struct k_thread, joiners);
}

#define HAS_ENDED 1

/*
 * Would waiting for `thread` close a circle of threads that join one another? Returns -EDEADLK, 0,
 * or HAS_ENDED where it did so meanwhile. They are passed in steps; in between whom it stands on
 * may end, which cuts the row there. Only who begins to wait can close one: where anybody did, it
 * begins anew.
 */
static int find_circle(struct k_thread *thread, unsigned int key)
{
	struct k_thread *passed = thread;
	unsigned int steps = 0;

	/* Bound: C * (D + 1), the threads that join one another in a row, in steps. */
	while (passed != k_cpu.current) {
		passed = joined_by(passed);
		if (passed != NULL && ++steps % CONFIG_MASKED_STEPS == 0) {
			const uint32_t to_join = generation_of(thread);
			const uint32_t to_pass = generation_of(passed);
			const uint32_t begun = waits;

			sched_traversal_window(key);
			if (generation_thread(to_join) == NULL) {
				return HAS_ENDED;
			}
			passed = *(volatile uint32_t *)&waits == begun ? generation_thread(to_pass)
								       : thread;
		}
		if (passed == NULL) {
			return 0;
		}
	}
	return -EDEADLK;
}

/* Has it ended while the time-out was armed? */
static __noinline bool ends_before(struct k_thread *thread, k_timeout_t timeout, unsigned int key)
{
	const uint32_t generation = generation_of(thread);

	return sched_arm_first(timeout, -EAGAIN, key) && generation_thread(generation) == NULL;
}

int k_thread_join(k_tid_t thread, k_timeout_t timeout)
{
	unsigned int key = arch_irq_lock();
	int circle = 0;

	if ((thread->state & K_THREAD_DEAD) != 0) {
		arch_irq_unlock(key);
		return 0;
	}
	if (timeout.ticks != 0 && !arch_in_isr()) {
		circle = timeout.ticks != K_TICKS_FOREVER && ends_before(thread, timeout, key)
				 ? HAS_ENDED
				 : find_circle(thread, key);
	}
	if (unlikely(circle != 0)) {
		sched_disarm();
		arch_irq_unlock(key);
		return circle == HAS_ENDED ? 0 : circle;
	}
	return join_wait(thread, timeout, key);
}
