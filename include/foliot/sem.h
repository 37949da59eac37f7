/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Counting semaphores.
 */
#ifndef FOLIOT_SEM_H
#define FOLIOT_SEM_H

#include <foliot/time.h>
#include <foliot/obj_core.h>
#include <foliot/wait_q.h>

#define K_SEM_MAX_LIMIT UINT32_MAX /**< the largest limit */

/** A counting semaphore. */
struct k_sem {
	_wait_q_t wait_q;
	unsigned int count; /* 0 whenever somebody waits */
	unsigned int limit;
	K_POLL_MEMBER
	K_OBJ_CORE_MEMBER
	K_OBJECT_MEMBER
};

/** What a k_sem is initialised with where it is defined by hand. */
#define K_SEM_INITIALIZER(initial, max) \
	{WAIT_Q_INIT, (initial), (max)K_POLL_INIT_ K_OBJ_CORE_INIT_ K_OBJECT_INIT_}
/** Define a semaphore that is ready before any code runs; at file scope. */
#define K_SEM_DEFINE(name, initial, max)                                   \
	struct k_sem name = K_SEM_INITIALIZER(initial, max);               \
	BUILD_ASSERT((max) != 0 && (uint64_t)(initial) <= (uint64_t)(max), \
		     "bad semaphore " #name);                              \
	K_OBJ_CORE_STATIC_(name, sem)

/**
 * Prepare a semaphore with `initial` tokens, which holds at most `limit`.
 * Returns 0, or -EINVAL for a limit of 0 or initial > limit.
 * Context: either.
 */
int k_sem_init(struct k_sem *sem, unsigned int initial, unsigned int limit);

/**
 * Take one token; wait while there is none.
 * Returns 0; -EBUSY: none there, and K_NO_WAIT was given; -EAGAIN: timed out, reset, or
 * called from an ISR that would have had to wait (asserted: blocking-call-in-isr).
 * Context: thread (ISR with K_NO_WAIT).
 */
int k_sem_take(struct k_sem *sem, k_timeout_t timeout);

/**
 * Give one token: to the most urgent waiter, which has waited longest among equals, else
 * to the count unless that is at its limit.
 * Context: either.
 */
void k_sem_give(struct k_sem *sem);

/** Count back to 0; whoever waits gets -EAGAIN. Context: either. */
void k_sem_reset(struct k_sem *sem);

/** Returns how many tokens are there. Context: either. */
#ifdef CONFIG_USERSPACE
unsigned int k_sem_count_get(const struct k_sem *sem);
#else
static inline unsigned int k_sem_count_get(const struct k_sem *sem)
{
	return *(const volatile unsigned int *)&sem->count;
}
#endif

#endif /* FOLIOT_SEM_H */
