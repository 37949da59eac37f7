/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Recursive mutexes with priority inheritance.
 *
 * The owner runs at the most urgent priority among its own and those of all threads
 * that wait for any mutex it holds, along chains of owners (at most
 * CONFIG_MUTEX_CHAIN_MAX long), until it unlocks.
 *
 * A thread that ends leaves the mutexes it holds locked, as in Zephyr: who waits goes on
 * waiting, until its time-out; nobody owns such a mutex, a thread created anew in the same
 * place included, until k_mutex_init(). With CONFIG_MUTEX_ROBUST the next owner gets it, and
 * is told by -EOWNERDEAD that what it protects may be half changed.
 */
#ifndef FOLIOT_MUTEX_H
#define FOLIOT_MUTEX_H

#include <foliot/time.h>
#include <foliot/obj_core.h>
#include <foliot/wait_q.h>

struct k_thread;

/** A mutex. */
struct k_mutex {
	struct k_thread *owner; /* NULL: not locked, or by a thread that has ended */
	uint32_t generation; /* its owner's; 0: not locked */
	uint32_t lock_count; /* while it is locked */
	_wait_q_t wait_q;
	struct k_mutex *next_contended; /* in owner's list, while somebody waits */
	struct k_mutex **link; /* what leads to it there; NULL: it is in no list */
	K_OBJ_CORE_MEMBER
	K_OBJECT_MEMBER
};

/** What a k_mutex is initialised with where it is defined by hand: not locked. */
#define K_MUTEX_INITIALIZER {NULL, 0, 0, WAIT_Q_INIT, NULL, NULL K_OBJ_CORE_INIT_ K_OBJECT_INIT_}
/** Define a mutex, not locked, ready before any code runs; at file scope. */
#define K_MUTEX_DEFINE(name)                       \
	struct k_mutex name = K_MUTEX_INITIALIZER; \
	K_OBJ_CORE_STATIC_(name, mutex)

/** Prepare a mutex that is not locked. Returns 0. Context: either. */
int k_mutex_init(struct k_mutex *mutex);

/**
 * Lock, or lock once more.
 * Returns 0; -EBUSY: another thread holds it, and K_NO_WAIT was given; -EAGAIN: timed out;
 * -EOWNERDEAD (CONFIG_MUTEX_ROBUST): the caller holds it now, its last owner has ended.
 * Context: thread (asserted: mutex-in-isr; an ISR has no identity that could own a mutex).
 */
int k_mutex_lock(struct k_mutex *mutex, k_timeout_t timeout);

/**
 * Undo one lock; the last one passes the mutex to its most urgent waiter.
 * Returns 0; -EINVAL: not locked; -EPERM: the caller is not the owner (both asserted:
 * unlock-of-a-mutex-not-owned).
 * Context: thread (asserted: mutex-in-isr).
 */
int k_mutex_unlock(struct k_mutex *mutex);

#endif /* FOLIOT_MUTEX_H */
