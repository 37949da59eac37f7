/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What mutexes share with condition variables, and their inheritance with messages (kernel/ipc):
 * whoever is waited for by others owns something like a mutex that nobody locks, whose lock_count
 * is 0 always. Interrupts masked throughout.
 */
#ifndef FOLIOT_KERNEL_MUTEX_H
#define FOLIOT_KERNEL_MUTEX_H

#include "kernel/hooks/generation.h"

/*
 * Undo one lock of the caller's; a waiter becomes owner and ready. No switch, but interrupts are
 * let in, with the key of the call, before anything is changed.
 */
void mutex_release(struct k_mutex *mutex, unsigned int key);

/*
 * `thread` lives. By generation: it may have the place of one that ended while it held the mutex.
 */
/*@ requires \valid_read(mutex) && \valid_read(thread);
  @ assigns \nothing;
  @ ensures \result <==> mutex->generation == thread->generation;
  @*/
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

/* Counts what changes who inherits how much: mutexes of owners' lists, and its waiters. */
extern uint32_t mutex_changes;

/* A list of what a thread inherits by: a mutex enters its owner's with its first waiter. */
static inline void contended_link(struct k_mutex **list, struct k_mutex *mutex)
{
	struct k_mutex *next = *list;

	mutex->next_contended = next;
	mutex->link = list;
	if (next != NULL) {
		next->link = &mutex->next_contended;
	}
	*list = mutex;
	mutex_changes++;
}

static inline void contended_add(struct k_thread *owner, struct k_mutex *mutex)
{
	contended_link(&owner->contended, mutex);
}

/* It is in a list. */
static inline void contended_remove(struct k_mutex *mutex)
{
	struct k_mutex *next = mutex->next_contended;

	*mutex->link = next;
	if (next != NULL) {
		next->link = mutex->link;
	}
	mutex->link = NULL;
	mutex_changes++;
}

/* It may be in one. */
static inline void contended_forget(struct k_mutex *mutex)
{
	if (mutex->link != NULL) {
		contended_remove(mutex);
	}
}

/*
 * `current` locks a mutex again that it has let go of. 0 or -EOWNERDEAD. Interrupts open.
 * Model: condvar.lock_free, condvar.lock_held, condvar.lock_after_end, condvar.lock_wait.
 */
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

/* k_condvar_wait() for ever, of user threads (kernel/syscall/masked.c). */
int condvar_wait_masked(struct k_condvar *condvar, struct k_mutex *mutex);

/* Before somebody waits for it, which is not free: its owner, or NULL: that has ended. */
struct k_thread *mutex_living_owner(struct k_mutex *mutex);

/* Its owner, in whose list it is, has ended or is about to: who waits is told. No switch. */
void mutex_owner_gone(struct k_mutex *mutex);

/* ---- inherit.c ---- */

/* The running thread waits in its queue, and lends its priority; no switch yet. */
void mutex_wait_lending(struct k_mutex *mutex, k_timeout_t timeout);

/*
 * The running thread is about to do that, and the owner waits itself: the rest of that row inherits
 * first, in steps. True: others have run, and all may have changed.
 */
bool inherit_ahead(const struct k_mutex *mutex, unsigned int key);

/*
 * The running thread's priority without what it inherits by `mutex`. Others may run in between, and
 * none behind the look at what counts.
 */
int inherit_without(const struct k_mutex *mutex, unsigned int key);

/* Somebody has left its queue, or has another place there. Nobody falls by that yet. */
void mutex_left(struct k_mutex *mutex);

/*
 * Who has that generation inherits what it is entitled to now, and whom it waits for, and so on:
 * others may run in between, unless key is TRAVERSAL_MASKED; and who walks has begun to.
 */
void mutex_inherit(uint32_t generation, unsigned int key);

/* The same of `owner` (NULL: nobody), who inherits the priority `prio` if that is more urgent. */
void mutex_lend(struct k_thread *owner, int prio, unsigned int key);

#ifdef CONFIG_IPC
/*
 * Who waits lends to `owner` from now on, which has its generation, and to nobody else. Returns the
 * generation of whom they have lent to, and mutex_inherit() is next. No switch.
 */
uint32_t mutex_move_waiters(struct k_mutex *mutex, struct k_thread *owner);
#endif

#endif /* FOLIOT_KERNEL_MUTEX_H */
