/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A @name@: what it is for, in a sentence. To begin with: threads wait until it is set.
 */
#ifndef FOLIOT_@NAME@_H
#define FOLIOT_@NAME@_H

#include <foliot/time.h>
#include <foliot/wait_q.h>

/** A @name@. */
struct k_@name@ {
	_wait_q_t wait_q; /* nobody waits while it is set */
	bool is_set;
};

/** What a k_@name@ is initialised with where it is defined by hand: not set. */
#define K_@NAME@_INITIALIZER  {WAIT_Q_INIT, false}
/** Define a @name@, not set, ready before any code runs; at file scope. */
#define K_@NAME@_DEFINE(name) struct k_@name@ name = K_@NAME@_INITIALIZER

/** Prepare a @name@ that is not set. Context: either. */
void k_@name@_init(struct k_@name@ *object);

/**
 * Wait until it is set; at once if it is.
 * Returns 0; -EBUSY: not set, and K_NO_WAIT was given; -EAGAIN: timed out, or called from an
 * ISR that would have had to wait (asserted: blocking-call-in-isr).
 * Context: thread (ISR with K_NO_WAIT).
 */
int k_@name@_wait(struct k_@name@ *object, k_timeout_t timeout);

/** Set it, and wake all who wait. Context: either. */
void k_@name@_set(struct k_@name@ *object);

/** Clear it. Context: either. */
void k_@name@_clear(struct k_@name@ *object);

#endif /* FOLIOT_@NAME@_H */
