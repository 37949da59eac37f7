/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What mutexes share with condition variables, and their inheritance with messages (kernel/ipc):
 * whoever is waited for by others owns something like a mutex that nobody locks, whose lock_count
 * is 0 always. Interrupts masked throughout.
 */
#ifndef FOLIOT_KERNEL_MUTEX_H
#define FOLIOT_KERNEL_MUTEX_H

#include "kernel/sched/generation.h"

/* Undo one lock of the caller's; a waiter becomes owner and ready. No switch. */
void mutex_release(struct k_mutex *mutex);

/*
 * `thread` lives. By generation: it may have the place of one that ended while it held the mutex.
 */
static inline bool mutex_is_held_by(const struct k_mutex *mutex, const struct k_thread *thread)
{
	return mutex->generation == thread->generation;
}

/*
 * NULL: nobody, or it has ended. `mutex->owner` is for who looks from outside, and never followed.
 */
static inline struct k_thread *mutex_owner(const struct k_mutex *mutex)
{
	return generation_thread(mutex->generation);
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

/* The owner's list of what it inherits by: a mutex enters it with its first waiter. */
static inline void contended_add(struct k_thread *owner, struct k_mutex *mutex)
{
	mutex->next_contended = owner->contended;
	owner->contended = mutex;
}

static inline void contended_remove(struct k_thread *owner, struct k_mutex *mutex)
{
	struct k_mutex **link = &owner->contended;

	/* Bound: the mutexes that `owner` holds. */
	while (*link != mutex) {
		link = &(*link)->next_contended;
	}
	*link = mutex->next_contended;
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

#ifdef CONFIG_IPC
/*
 * `owner` (or nobody, NULL) inherits what it is entitled to now, and whom it waits for, and so on.
 */
void mutex_inherit(struct k_thread *owner);
/* The running thread waits in its queue, and lends its priority; no switch yet. */
void mutex_wait_lending(struct k_mutex *mutex, k_timeout_t timeout);
/*
 * Who waits lends to `owner` from now on, which has its generation, and to nobody else. No switch.
 */
void mutex_move_waiters(struct k_mutex *mutex, struct k_thread *owner);
#endif

#endif /* FOLIOT_KERNEL_MUTEX_H */
