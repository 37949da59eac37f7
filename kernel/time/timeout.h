/* SPDX-License-Identifier: Apache-2.0 */
/* Pending timeouts: a hierarchical wheel. Interrupts masked throughout. */
#ifndef FOLIOT_KERNEL_TIMEOUT_H
#define FOLIOT_KERNEL_TIMEOUT_H

#include <foliot/time.h>

/* At start, with the clock running. */
void timeout_init(void);

/*
 * The tick at which a wait is over: never early, so one tick more than `timeout` has, since
 * the tick that it is now has begun some time ago.
 */
k_ticks_t timeout_deadline(k_timeout_t timeout);

/* Have timeout->expire(timeout) called at tick `when`, at most 2^31 ahead. */
void timeout_add(struct timeout *timeout, k_ticks_t when);

/* The same `ticks` from the tick that it is now, 1 to 2^31; restores key. */
void timeout_start(struct timeout *timeout, k_ticks_t ticks, unsigned int key);

/*
 * timeout_add() in two parts, for callers that end in a call of something else: if the first
 * one returns a number that is not negative, the second has to follow with it, since the alarm
 * is later than `when`.
 */
#ifdef CONFIG_TIMEOUT_LIST
int timeout_link(struct timeout *timeout, k_ticks_t when);
#else
static inline int timeout_link(struct timeout *timeout, k_ticks_t when);
#endif
void timeout_alarm(int number, k_ticks_t when);

/* The same from an expire(), to be called before what is due at that tick already. */
void timeout_add_first(struct timeout *timeout, k_ticks_t when);

/*
 * Take back one that is pending. Neither its slot nor the alarm is looked at: a slot that
 * runs empty so is noticed by the next alarm (timeout.c).
 */
static inline void timeout_cancel(struct timeout *timeout)
{
	timeout->ring.prev->next = timeout->ring.next;
	timeout->ring.next->prev = timeout->ring.prev;
}

/*
 * The timeouts that lie where one for `when` would: the first for NULL, else the one behind
 * `timeout`; NULL behind the last.
 */
struct timeout *timeout_neighbour(k_ticks_t when, const struct timeout *timeout);

/* Ticks until it is due, at least 0. */
k_ticks_t timeout_remaining(const struct timeout *timeout);

/*
 * Expire all that is due at `now` and set the next alarm. ISR, and at start. Interrupts are
 * let in between any two timeouts.
 */
void timeout_announce(k_ticks_t now);

#ifndef CONFIG_TIMEOUT_LIST
#include "kernel/time/wheel.h"
#endif

#endif /* FOLIOT_KERNEL_TIMEOUT_H */
