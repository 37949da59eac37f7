/* SPDX-License-Identifier: Apache-2.0 */
/* Counting semaphores. */
#ifndef FOLIOT_SEM_H
#define FOLIOT_SEM_H

#include <foliot/time.h>
#include <foliot/obj_core.h>
#include <foliot/wait_q.h>

#define K_SEM_MAX_LIMIT UINT32_MAX

struct k_sem {
	_wait_q_t wait_q;
	unsigned int count; /* 0 whenever somebody waits */
	unsigned int limit;
	K_OBJ_CORE_MEMBER
};

#define K_SEM_INITIALIZER(initial, max) {WAIT_Q_INIT, (initial), (max)K_OBJ_CORE_INIT_}
#define K_SEM_DEFINE(name, initial, max)                                   \
	struct k_sem name = K_SEM_INITIALIZER(initial, max);               \
	BUILD_ASSERT((max) != 0 && (uint64_t)(initial) <= (uint64_t)(max), \
		     "bad semaphore " #name);                              \
	K_OBJ_CORE_STATIC_(name, sem)

/* Returns 0, or -EINVAL for limit 0 or initial > limit. Context: either. */
int k_sem_init(struct k_sem *sem, unsigned int initial, unsigned int limit);

/*
 * Take one. Returns 0; -EBUSY: none there, and K_NO_WAIT was given; -EAGAIN: timed
 * out, reset, or called from an ISR that would have had to wait.
 * Context: thread (ISR with K_NO_WAIT).
 */
int k_sem_take(struct k_sem *sem, k_timeout_t timeout);

/*
 * Give one: to the most urgent waiter, which has waited longest among equals, else
 * to the count unless that is at its limit. Context: either.
 */
void k_sem_give(struct k_sem *sem);

/* Count back to 0; whoever waits gets -EAGAIN. Context: either. */
void k_sem_reset(struct k_sem *sem);

/* Context: either. */
static inline unsigned int k_sem_count_get(const struct k_sem *sem)
{
	return *(const volatile unsigned int *)&sem->count;
}

#endif /* FOLIOT_SEM_H */
