/* SPDX-License-Identifier: Apache-2.0 */
/* Why a @name@ is as it is, and what was rejected. */
#include "kernel/sched/sched.h"
#include <foliot/@name@.h>

/*@ requires \valid(object);
  @ assigns *object;
  @ ensures !object->is_set && object->wait_q.head == \null;
  @*/
void k_@name@_init(struct k_@name@ *object)
{
	*object = (struct k_@name@)K_@NAME@_INITIALIZER;
}

int k_@name@_wait(struct k_@name@ *object, k_timeout_t timeout)
{
	unsigned int key = irq_lock();

	if (likely(object->is_set)) {
		irq_unlock(key);
		return 0;
	}
	return (int)sched_pend_slow(&object->wait_q, timeout, key, -EAGAIN);
}

void k_@name@_set(struct k_@name@ *object)
{
	unsigned int key = irq_lock();

	object->is_set = true;
	/* Bound: the number of waiters. */
	while (object->wait_q.head != NULL) {
		sched_wake(object->wait_q.head, 0);
	}
	sched_reschedule(key);
}

void k_@name@_clear(struct k_@name@ *object)
{
	unsigned int key = irq_lock();

	object->is_set = false;
	irq_unlock(key);
}
