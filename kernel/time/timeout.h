/* SPDX-License-Identifier: Apache-2.0 */
/* Pending timeouts: a hierarchical wheel. Interrupts masked throughout. */
#ifndef FOLIOT_KERNEL_TIMEOUT_H
#define FOLIOT_KERNEL_TIMEOUT_H

#include <foliot/time.h>

/* The tick at which a relative time-out is over: never early, so one tick more. */
k_ticks_t timeout_deadline(k_timeout_t timeout);

/* Have timeout->expire(timeout) called at tick `when`, less than 2^31 ahead. */
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
 * Expire all that is due at `now` and set the next alarm. ISR. Interrupts are let in
 * between any two timeouts.
 */
void timeout_announce(k_ticks_t now);

#endif /* FOLIOT_KERNEL_TIMEOUT_H */
