/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Semaphores. A token given while somebody waits goes to that waiter and never into
 * the count, so a thread that comes along in between cannot take it.
 */
#include "kernel/hooks/object.h"
#include "kernel/objects/operation.h"

/*@ requires \valid(sem) && \separated(sem, &object_table[0 .. CONFIG_USER_OBJECTS - 1],
  @   &object_names[0 .. CONFIG_USER_OBJECTS - 1]);
  @ assigns *sem, object_table[0 .. CONFIG_USER_OBJECTS - 1].kind,
  @   object_names[0 .. CONFIG_USER_OBJECTS - 1];
  @ ensures \result == 0 ==> 0 < limit && initial <= limit && sem->count == initial &&
  @   sem->limit == limit && sem->wait_q.head == \null && sem->pollers == \null;
  @ ensures 0 < limit && initial <= limit ? \result == 0 : \result == -EINVAL;
  @*/
int k_sem_init(struct k_sem *sem, unsigned int initial, unsigned int limit)
{
	if (limit == 0 || initial > limit) {
		return -EINVAL;
	}
	object_init_begin(sem, sem);
	sem->wait_q.head = NULL;
	sem->count = initial;
	sem->limit = limit;
	poll_init(sem);
	object_init_end(sem, sem);
	return 0;
}

/* Model: steps.wait_for_ever */
/* For ever; which stays in its register, so that none of the others moves about. */
static __attribute__((noipa)) int take_blocking(struct k_sem *sem, k_timeout_t forever,
						unsigned int key)
{
	if (forever.ticks != K_TICKS_FOREVER) {
		__builtin_unreachable();
	}
	return (int)sched_pend_inline(&sem->wait_q, forever, key, -EAGAIN);
}

/* Model: steps.disarm */
static __noinline intptr_t take_timed(struct k_sem *sem, k_timeout_t timeout, unsigned int key)
{
	/* Bound: D, it was given in a window. */
	if (sched_arm_first(timeout, -EAGAIN, key) && sem->count != 0) {
		sched_disarm();
		sem->count--;
		return done(0, key);
	}
	return sched_pend_timed(&sem->wait_q, timeout, key, -EAGAIN);
}

static inline intptr_t take_waiting(struct k_sem *sem, k_timeout_t timeout, unsigned int key)
{
	k_ticks_t beyond;

	if (!ARMS_FIRST) {
		return sched_pend_slow(&sem->wait_q, timeout, key, -EAGAIN);
	}
	/* Model: steps.refused */
	if (timeout.ticks == 0) {
		return done(-EBUSY, key);
	}
	beyond = timeout.ticks + 1U;
	OPAQUE(beyond); /* or what it says of the time-out is loaded again, as a constant */
	if (beyond != 0) {
		return take_timed(sem, timeout, key);
	}
	return take_blocking(sem, timeout, key);
}

/* Model: steps.give_to_first */
static __noinline intptr_t give_waking(struct k_sem *sem, struct k_thread *waiter, unsigned int key)
{
	return sched_wake_first_inline(&sem->wait_q, waiter, 0, key);
}

#define WAIT(...) take_waiting(sem, timeout, key)
#define WAKE(...) give_waking(sem, waiter, key)
#include "kernel/objects/sem_ops.h"
