/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What mutexes share with the scheduler and with condition variables. Interrupts
 * masked throughout.
 */
#ifndef FOLIOT_KERNEL_MUTEX_H
#define FOLIOT_KERNEL_MUTEX_H

#include "kernel/sched/sched.h"

/*
 * The inheritance hooks below are referenced weakly: a program that uses no mutex
 * does not carry them (the kernel is linked from an archive).
 */

/* A waiter left the queue of a mutex, or changed its priority there. */
void mutex_waiters_changed(struct k_mutex *mutex) __attribute__((weak));

/* The priority `thread` is entitled to: its own or an inherited one. */
int mutex_effective_prio(const struct k_thread *thread) __attribute__((weak));

/* Undo one lock of the caller's; a waiter becomes owner and ready. No switch. */
void mutex_release(struct k_mutex *mutex);

/* `current` locks a mutex that it does not hold. */
static inline void mutex_lock_again(struct k_mutex *mutex, struct k_thread *current)
{
	unsigned int key = arch_irq_lock();

	if (likely(mutex->owner == NULL)) {
		mutex->owner = current;
		mutex->lock_count = 1;
		arch_irq_unlock(key);
		return;
	}
	arch_irq_unlock(key);
	(void)k_mutex_lock(mutex, K_FOREVER);
}

static inline struct k_mutex *mutex_waited_for(const struct k_thread *thread)
{
	if ((thread->state & K_THREAD_PENDING) == 0 || thread->pended_on == NULL ||
	    (thread->wait_flags & WAIT_FLAG_MUTEX) == 0) {
		return NULL;
	}
	return CONTAINER_OF(thread->pended_on, struct k_mutex, wait_q);
}

/* `thread` has just left wait_q, for whatever reason. */
static inline void mutex_waiter_left(struct k_thread *thread, _wait_q_t *wait_q)
{
	unsigned int flags = thread->wait_flags;

	thread->wait_flags = 0;
	if ((flags & WAIT_FLAG_MUTEX) != 0) {
		mutex_waiters_changed(CONTAINER_OF(wait_q, struct k_mutex, wait_q));
	}
}

#endif /* FOLIOT_KERNEL_MUTEX_H */
