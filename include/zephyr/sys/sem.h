/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * sys_sem: a semaphore that lies in the application's own memory. With user threads
 * (CONFIG_USERSPACE) it is a count that who finds it at 0 waits at, by a futex (lib/sys_sem.c):
 * whoever may write there may use it, without being given access, and may forge it. Without them it
 * is a k_sem by another name.
 */
#ifndef ZEPHYR_SYS_SEM_H
#define ZEPHYR_SYS_SEM_H

#include <foliot/kernel.h>
#include <zephyr/sys/util.h>

EXTERN_C_BEGIN_

#ifdef CONFIG_USERSPACE

/** A semaphore; in a partition of those that use it. */
struct sys_sem {
	struct k_futex futex; /* the count */
	int limit;
};

/** Define a semaphore that is ready before any code runs; at file scope. */
#define SYS_SEM_DEFINE(name, initial, max)                                                      \
	struct sys_sem name = {{ATOMIC_INIT(initial)}, (int)(max)};                             \
	BUILD_ASSERT((max) > 0 && (max) <= INT32_MAX && (uint64_t)(initial) <= (uint64_t)(max), \
		     "bad semaphore " #name)

/**
 * Prepare one that nobody waits at.
 * Returns 0, or -EINVAL: a limit of 0 or over INT32_MAX, or initial > limit.
 * Context: either.
 */
int sys_sem_init(struct sys_sem *sem, unsigned int initial, unsigned int limit);
/**
 * Give one token, and wake one of those who wait.
 * Returns 0; -EAGAIN: the count is at its limit, and stays there.
 * Context: either.
 */
int sys_sem_give(struct sys_sem *sem);
/**
 * Take one token; wait while there is none. Who is woken comes too late where another thread has
 * taken it meanwhile, and waits on.
 * Returns 0; -ETIMEDOUT: none in time, or none there and K_NO_WAIT was given; -EINVAL: its count is
 * below 0.
 * Context: thread (ISR with K_NO_WAIT).
 */
int sys_sem_take(struct sys_sem *sem, k_timeout_t timeout);
/** Returns how many tokens are there. Context: either. */
unsigned int sys_sem_count_get(struct sys_sem *sem);

#else

/** A semaphore. */
struct sys_sem {
	struct k_sem kernel_sem;
};

/** Define a semaphore that is ready before any code runs; at file scope. */
#define SYS_SEM_DEFINE(name, initial, max)                       \
	struct sys_sem name = {K_SEM_INITIALIZER(initial, max)}; \
	BUILD_ASSERT((max) != 0 && (uint64_t)(initial) <= (uint64_t)(max), "bad semaphore " #name)

/** Prepare one. Returns 0, or -EINVAL: a limit of 0 or initial > limit. Context: either. */
static inline int sys_sem_init(struct sys_sem *sem, unsigned int initial, unsigned int limit)
{
	return k_sem_init(&sem->kernel_sem, initial, limit);
}

/**
 * Give one token. Where the count is at its limit it stays there.
 * Returns 0, then too, as in Zephyr's builds without user mode.
 * Context: either.
 */
static inline int sys_sem_give(struct sys_sem *sem)
{
	k_sem_give(&sem->kernel_sem);
	return 0;
}

/**
 * Take one token; wait while there is none.
 * Returns 0; -ETIMEDOUT: none in time, or none there and K_NO_WAIT was given.
 * Context: thread (ISR with K_NO_WAIT).
 */
static inline int sys_sem_take(struct sys_sem *sem, k_timeout_t timeout)
{
	int result = k_sem_take(&sem->kernel_sem, timeout);

	return result == -EAGAIN || result == -EBUSY ? -ETIMEDOUT : result;
}

/** Returns how many tokens are there. Context: either. */
static inline unsigned int sys_sem_count_get(struct sys_sem *sem)
{
	return k_sem_count_get(&sem->kernel_sem);
}

#endif /* CONFIG_USERSPACE */

/* Internal: at a block's end. */
struct sys_sem_held_ {
	struct sys_sem *sem;
	bool again;
};

static inline void sys_sem_end_(struct sys_sem_held_ *held)
{
	(void)sys_sem_give(held->sem);
}

static inline struct sys_sem_held_ sys_sem_begin_(struct sys_sem *sem)
{
	(void)sys_sem_take(sem, K_FOREVER);
	return (struct sys_sem_held_){sem, true};
}

/**
 * The block behind it runs with a token taken, and gives it back, left by return, too.
 * Context: thread.
 */
#define SYS_SEM_LOCK(sem_)                                                  \
	for (struct sys_sem_held_ sem_held_                                 \
	     __attribute__((cleanup(sys_sem_end_))) = sys_sem_begin_(sem_); \
	     sem_held_.again; sem_held_.again = false)
/** Leaves that block. */
#define SYS_SEM_LOCK_BREAK continue

EXTERN_C_END_

#endif /* ZEPHYR_SYS_SEM_H */
