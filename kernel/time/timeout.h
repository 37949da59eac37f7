/* SPDX-License-Identifier: Apache-2.0 */
/* Pending timeouts: a hierarchical wheel. Interrupts masked throughout. */
#ifndef FOLIOT_KERNEL_TIMEOUT_H
#define FOLIOT_KERNEL_TIMEOUT_H

#include <foliot/time.h>

/*
 * The tick at which a wait is over: never early, so one tick more than `timeout` has, since
 * the tick that it is now has begun some time ago.
 */
k_ticks_t timeout_deadline(k_timeout_t timeout);

/* The tick at which a timer expires that is started now: the `duration`-th from now on. */
k_ticks_t timeout_after(k_timeout_t duration);

/* Have timeout->expire(timeout) called at tick `when`, at most 2^31 ahead. */
void timeout_add(struct timeout *timeout, k_ticks_t when);

/* The same from an expire(), to be called before what is due at that tick already. */
void timeout_add_first(struct timeout *timeout, k_ticks_t when);

/* Take back one that is pending. */
void timeout_cancel(struct timeout *timeout);

/* The timeouts that lie where one for `when` would (a ring), or NULL. */
struct timeout *timeout_neighbours(k_ticks_t when);

/* Ticks until it is due, at least 0. */
k_ticks_t timeout_remaining(const struct timeout *timeout);

/*
 * Expire all that is due at `now` and set the next alarm. ISR, and at start. Interrupts are
 * let in between any two timeouts.
 */
void timeout_announce(k_ticks_t now);

#endif /* FOLIOT_KERNEL_TIMEOUT_H */
