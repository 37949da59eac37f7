/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast paths of blocking and of waking, inlined into each object: the usual states of both.
 * They end as their includer's calls do, which says so before it includes this, or as those of
 * kernel threads and handlers: by a switch that returns to the caller, and in all other states by
 * one function out of line (of one more, compilers move the parameters about).
 */
#ifndef FOLIOT_KERNEL_SCHED_WAIT_WAKE_H
#define FOLIOT_KERNEL_SCHED_WAIT_WAKE_H

#include "kernel/sched/sched.h"

#ifndef WAIT_SLOW
#define SWITCHES_FAST                         FAST_PATHS
#define MAY_WAIT(key)                         (sched_check(), arch_may_switch(key))
#define MAY_WAKE(current, key)                (sched_check_wake(key), arch_may_switch(key))
#define WAIT_SLOW                             sched_pend_slow
#define WAKE_SLOW(wait_q, waiter, value, key) sched_wake_first(wait_q, value, key)
#define WAIT_SWITCH(current, next, key)       sched_switch(current, next, key)
#define WAKE_SWITCH(current, next, key)       sched_switch_preempting(current, next, key)
#endif

/*
 * Nobody waits in wait_q, and the running thread is not queued: it waits for ever. Returns who runs
 * now; what is left is the switch.
 */
static inline struct k_thread *sched_pend_alone(_wait_q_t *wait_q, struct k_thread *current)
{
	wait_q->head = current;
	current->next = current;
	current->prev = current;
	current->pended_on = wait_q;
	current->state = K_THREAD_PENDING;
	return k_cpu.best;
}

/*
 * Blocks the running thread, which is not queued, since it was handed the CPU, in a queue where
 * nobody waits yet. One branch for both.
 */
static inline intptr_t sched_pend_inline(_wait_q_t *wait_q, k_timeout_t timeout, unsigned int key,
					 int timeout_value)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *next;

	if (!SWITCHES_FAST ||
	    unlikely(timeout.ticks != K_TICKS_FOREVER ||
		     ((uintptr_t)wait_q->head | current->state) != 0 || !MAY_WAIT(key))) {
		return WAIT_SLOW(wait_q, timeout, key, timeout_value);
	}
	next = sched_pend_alone(wait_q, current);
	return WAIT_SWITCH(current, next, key);
}

/*
 * Wakes `waiter`, the head of wait_q: it waits alone and without a time-out, and outranks the
 * running thread, whose call returns what it has put in its wake_value. Handlers leave first.
 */
static inline intptr_t sched_wake_first_inline(_wait_q_t *wait_q, struct k_thread *waiter,
					       intptr_t value, unsigned int key)
{
	struct k_thread *current = k_cpu.current;

	if (!SWITCHES_FAST ||
	    unlikely(waiter->next != waiter || !MAY_WAKE(current, key) ||
		     waiter->state != K_THREAD_PENDING || waiter->prio >= current->threshold)) {
		return WAKE_SLOW(wait_q, waiter, value, key);
	}
	K_ASSERT((waiter->wait_flags & WAIT_FLAG_MUTEX) == 0, "mutex-waiter-at-another-object");
	wait_q->head = NULL;
	waiter->wake_value = value;
	waiter->state = 0;
	return WAKE_SWITCH(current, waiter, key);
}

#endif /* FOLIOT_KERNEL_SCHED_WAIT_WAKE_H */
