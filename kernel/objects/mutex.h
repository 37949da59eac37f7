/* SPDX-License-Identifier: Apache-2.0 */
/* What mutexes share with condition variables. Interrupts masked throughout. */
#ifndef FOLIOT_KERNEL_MUTEX_H
#define FOLIOT_KERNEL_MUTEX_H

#include "kernel/sched/generation.h"

/* Undo one lock of the caller's; a waiter becomes owner and ready. No switch. */
void mutex_release(struct k_mutex *mutex);

/* By generation: a thread may have the place of one that ended while it held the mutex. */
static inline bool mutex_is_held_by(const struct k_mutex *mutex, const struct k_thread *thread)
{
	return mutex->generation == thread->generation;
}

/* `thread` has been given its generation. */
static inline void mutex_own(struct k_mutex *mutex, struct k_thread *thread)
{
	mutex->owner = thread;
	mutex->generation = thread->generation;
	mutex->lock_count = 1;
}

static inline void mutex_disown(struct k_mutex *mutex)
{
	mutex->owner = NULL;
	mutex->generation = GENERATION_NOBODY;
}

/* `current` locks a mutex again that it has let go of. 0 or -EOWNERDEAD. Interrupts open. */
static inline int mutex_lock_again(struct k_mutex *mutex, struct k_thread *current)
{
	unsigned int key = arch_irq_lock();

	if (likely(mutex->generation == GENERATION_NOBODY)) {
		mutex_own(mutex, current);
		arch_irq_unlock(key);
		return 0;
	}
	arch_irq_unlock(key);
	return k_mutex_lock(mutex, K_FOREVER);
}

#endif /* FOLIOT_KERNEL_MUTEX_H */
