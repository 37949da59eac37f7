/* SPDX-License-Identifier: Apache-2.0 */
/* Pending timeouts: a hierarchical wheel. Interrupts masked throughout. */
#ifndef FOLIOT_KERNEL_TIMEOUT_H
#define FOLIOT_KERNEL_TIMEOUT_H

#include <foliot/time.h>

/* At start, with the clock running. */
__cold void timeout_init(void);

/* How far one tick lies behind another: negative, before it. */
#ifdef CONFIG_TIMEOUT_64BIT
typedef int64_t timeout_distance_t;
#else
typedef int32_t timeout_distance_t;
#endif

/* Ends at a tick, not so many from now: CONFIG_TIMEOUT_64BIT alone has these. */
/*@ assigns \nothing;
  @ ensures !\result;
  @*/
static inline bool timeout_is_absolute(k_timeout_t timeout)
{
	return IS_ENABLED(CONFIG_TIMEOUT_64BIT) && timeout.ticks < K_TICKS_FOREVER;
}

/* The uptime tick at which such a one ends. */
static inline timeout_tick_t timeout_absolute_tick(k_timeout_t timeout)
{
	return (timeout_tick_t)(K_TICKS_FOREVER - 1 - timeout.ticks);
}

/* timeout_deadline() of one that begins at tick `now`. */
/*@ assigns \nothing;
  @ ensures \result == (timeout_tick_t)(now + timeout.ticks + 1);
  @*/
static inline timeout_tick_t timeout_deadline_from(timeout_tick_t now, k_timeout_t timeout)
{
	timeout_tick_t ahead;

	if (!timeout_is_absolute(timeout)) {
		return now + (timeout_tick_t)timeout.ticks + 1U;
	}
	ahead = timeout_absolute_tick(timeout) + CONFIG_SYS_CLOCK_FIRST_TICK - now;
	return now + ((timeout_distance_t)ahead > 0 ? ahead : 1U);
}

/*
 * The tick at which a wait is over: never early, so one tick more than `timeout` has, since
 * the tick that it is now has begun some time ago. One that ends at a tick ends there, or at the
 * next where that has been.
 */
timeout_tick_t timeout_deadline(k_timeout_t timeout);

/* Have timeout->expire(timeout) called at tick `when`, at most half of timeout_tick_t ahead. */
void timeout_add(struct timeout *timeout, timeout_tick_t when);

/* The same `ticks` from the tick that it is now, at least 1 and as far ahead; restores key. */
void timeout_start(struct timeout *timeout, timeout_tick_t ticks, unsigned int key);

/*
 * timeout_add() in two parts, for callers that end in a call of something else: if the first
 * one returns a number that is not negative, the second has to follow with it, since the alarm
 * is later than `when`.
 */
#ifdef CONFIG_TIMEOUT_LIST
int timeout_link(struct timeout *timeout, timeout_tick_t when);
#else
static inline int timeout_link(struct timeout *timeout, timeout_tick_t when);
#endif
void timeout_alarm(int number, timeout_tick_t when);

/* The same from an expire(), to be called before what is due at that tick already. */
void timeout_add_first(struct timeout *timeout, timeout_tick_t when);

/*
 * Take back one that is pending. Neither its slot nor the alarm is looked at: a slot that
 * runs empty so is noticed by the next alarm (timeout.c).
 */
/*@ requires \valid_read(timeout);
  @ requires \valid(timeout->ring.prev) && \valid(timeout->ring.next);
  @ requires \separated(timeout, timeout->ring.prev) && \separated(timeout, timeout->ring.next);
  @ requires timeout->ring.prev == timeout->ring.next ||
  @   \separated(timeout->ring.prev, timeout->ring.next);
  @ assigns timeout->ring.prev->next, timeout->ring.next->prev;
  @ ensures \old(timeout->ring.prev)->next == \old(timeout->ring.next);
  @ ensures \old(timeout->ring.next)->prev == \old(timeout->ring.prev);
  @*/
static inline void timeout_cancel(struct timeout *timeout)
{
	timeout->ring.prev->next = timeout->ring.next;
	timeout->ring.next->prev = timeout->ring.prev;
}

/*
 * The timeouts that lie where one for `when` would: the first for NULL, else the one behind
 * `timeout`; NULL behind the last.
 */
struct timeout *timeout_neighbour(timeout_tick_t when, const struct timeout *timeout);

/* Ticks until it is due, at least 0. */
timeout_tick_t timeout_remaining(const struct timeout *timeout);

/*
 * Expire all that is due at `now` and set the next alarm. ISR, and at start. Interrupts are
 * let in between any two timeouts.
 */
void timeout_announce(timeout_tick_t now);

#ifndef CONFIG_TIMEOUT_LIST
#include "kernel/time/wheel.h"
#endif

#endif /* FOLIOT_KERNEL_TIMEOUT_H */
