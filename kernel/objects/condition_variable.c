/* SPDX-License-Identifier: Apache-2.0 */
/* Condition variables: waiting and unlocking are one step, interrupts masked between. */
#include "kernel/base/kernel.h"

CALLS_DIRECTLY(k_mutex_lock); /* before the headers, whose inline functions may call it */

#include "kernel/hooks/object.h"
#include "kernel/objects/mutex.h"
#include "kernel/objects/operation.h"

/*@ requires \valid(condvar) && \separated(condvar, &object_table[0 .. CONFIG_USER_OBJECTS - 1],
  @   &object_names[0 .. CONFIG_USER_OBJECTS - 1]);
  @ assigns *condvar, object_table[0 .. CONFIG_USER_OBJECTS - 1].kind,
  @   object_names[0 .. CONFIG_USER_OBJECTS - 1];
  @ ensures \result == 0 && condvar->wait_q.head == \null;
  @*/
int k_condvar_init(struct k_condvar *condvar)
{
	object_init_begin(condvar, condvar);
	condvar->wait_q.head = NULL;
	object_init_end(condvar, condvar);
	return 0;
}

/*
 * Waits, masked, and locks the mutex again, which it has let go of.
 * Model: condvar.wait, condvar.expire, condvar.refuse.
 */
static inline int wait_unlocked(struct k_condvar *condvar, struct k_mutex *mutex,
				k_timeout_t timeout, unsigned int key)
{
	struct k_thread *current = k_cpu.current;
	int result = (int)sched_pend_inline(&condvar->wait_q, timeout, key, -EAGAIN);

	if (mutex_lock_again(mutex, current) != 0 && IS_ENABLED(CONFIG_MUTEX_ROBUST)) {
		return -EOWNERDEAD;
	}
	return result;
}

/* Others wait for the mutex, or it is locked more than once. */
static __noinline int release_and_wait(struct k_condvar *condvar, struct k_mutex *mutex,
				       k_timeout_t timeout, unsigned int key)
{
	mutex_release(mutex, key);
	return wait_unlocked(condvar, mutex, timeout, key);
}

/* K_NO_WAIT is a time-out like any other here: the mutex is let go of. */
static __noinline int wait_timed(struct k_condvar *condvar, struct k_mutex *mutex,
				 k_timeout_t timeout, unsigned int key)
{
	int result;

	(void)sched_arm_first(timeout, -EAGAIN, key);
	result = release_and_wait(condvar, mutex, timeout, key);
	return result == -EBUSY ? -EAGAIN : result;
}

static ALWAYS_INLINE int wait_holding(struct k_condvar *condvar, struct k_mutex *mutex,
				      unsigned int key)
{
	if (unlikely(mutex->lock_count != 1 || mutex->wait_q.head != NULL)) {
		return release_and_wait(condvar, mutex, K_FOREVER, key);
	}
	mutex_disown(mutex);
	return wait_unlocked(condvar, mutex, K_FOREVER, key);
}

int k_condvar_wait(struct k_condvar *condvar, struct k_mutex *mutex, k_timeout_t timeout)
{
	unsigned int key = arch_irq_lock();

	if (unlikely(!mutex_is_held_by(mutex, k_cpu.current) || arch_in_isr())) {
		K_ASSERT(false, "condvar-wait-without-the-mutex");
		arch_irq_unlock(key);
		return -EPERM;
	}
	if (timeout.ticks != K_TICKS_FOREVER) {
		return wait_timed(condvar, mutex, timeout, key);
	}
	return wait_holding(condvar, mutex, key);
}

#ifdef CONFIG_ARCH_USER_CALLS_MASKED
int condvar_wait_masked(struct k_condvar *condvar, struct k_mutex *mutex)
{
	if (unlikely(!mutex_is_held_by(mutex, k_cpu.current))) {
		arch_irq_unlock(ARCH_IRQ_KEY_OPEN);
		return -EPERM;
	}
	return wait_holding(condvar, mutex, ARCH_IRQ_KEY_OPEN);
}
#endif

/* Model: condvar.signal */
static __noinline int signal_waking(struct k_condvar *condvar, struct k_thread *waiter,
				    unsigned int key)
{
	k_cpu.current->wake_value = 0;
	return (int)sched_wake_first_inline(&condvar->wait_q, waiter, 0, key);
}

#define WAKE(...) signal_waking(condvar, waiter, key)
#include "kernel/objects/condition_variable_ops.h"

/* Model: condvar.broadcast */
static __noinline int broadcast_waking(struct k_condvar *condvar, unsigned int key)
{
	unsigned int woken = sched_wake_all(&condvar->wait_q, 0, key);

	sched_traversal_end(key);
	return (int)woken;
}

int k_condvar_broadcast(struct k_condvar *condvar)
{
	unsigned int key = arch_irq_lock();

	if (condvar->wait_q.head != NULL) {
		return broadcast_waking(condvar, key);
	}
	arch_irq_unlock(key);
	return 0;
}
