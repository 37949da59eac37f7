/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Condition variables, used with a mutex.
 */
#ifndef FOLIOT_CONDVAR_H
#define FOLIOT_CONDVAR_H

#include <foliot/time.h>
#include <foliot/obj_core.h>
#include <foliot/wait_q.h>

struct k_mutex;

/** A condition variable. */
struct k_condvar {
	_wait_q_t wait_q;
	K_OBJ_CORE_MEMBER
	K_OBJECT_MEMBER
};

/** What a k_condvar is initialised with where it is defined by hand. */
#define K_CONDVAR_INITIALIZER {WAIT_Q_INIT K_OBJ_CORE_INIT_ K_OBJECT_INIT_}
/** Define a condition variable that is ready before any code runs; at file scope. */
#define K_CONDVAR_DEFINE(name)                         \
	struct k_condvar name = K_CONDVAR_INITIALIZER; \
	K_OBJ_CORE_STATIC_(name, condvar)

/** Prepare a condition variable that nobody waits for. Returns 0. Context: either. */
int k_condvar_init(struct k_condvar *condvar);

/**
 * Unlock the mutex (one level) and wait, in one step; lock it again before returning,
 * however the wait ended. That second lock waits without a limit of its own.
 * Returns 0: signalled; -EAGAIN: timed out, K_NO_WAIT included; -EPERM, with nothing
 * done: the caller does not hold the mutex, or is an ISR (asserted:
 * condvar-wait-without-the-mutex); -EOWNERDEAD (CONFIG_MUTEX_ROBUST): however the wait
 * ended, the caller holds the mutex, whose last owner has ended.
 * Context: thread.
 */
int k_condvar_wait(struct k_condvar *condvar, struct k_mutex *mutex, k_timeout_t timeout);

/** Wake the most urgent waiter, if any. Returns 0. Context: either. */
int k_condvar_signal(struct k_condvar *condvar);

/** Wake all waiters. Returns how many there were. Context: either. */
int k_condvar_broadcast(struct k_condvar *condvar);

#endif /* FOLIOT_CONDVAR_H */
