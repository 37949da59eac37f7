/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Timers: a function called after a time, once or again and again.
 */
#ifndef FOLIOT_TIMER_H
#define FOLIOT_TIMER_H

#include <foliot/time.h>
#include <foliot/obj_core.h>
#include <foliot/wait_q.h>

struct k_timer;
/** Called at each expiry. Context: ISR. */
typedef void (*k_timer_expiry_t)(struct k_timer *timer);
/** Called by k_timer_stop() for a timer that ran. Context: its caller's. */
typedef void (*k_timer_stop_t)(struct k_timer *timer);

/** A timer. */
struct k_timer {
	struct timeout timeout;
	_wait_q_t wait_q;
	k_timer_expiry_t expiry_fn; /* in ISR context */
	k_timer_stop_t stop_fn;     /* in the context of k_timer_stop() */
	timeout_tick_t period;      /* ticks; 0: one shot */
	uint32_t status;            /* expiries since last read */
	void *user_data;
	bool running;
	K_OBJ_CORE_MEMBER
	K_OBJECT_MEMBER
};

/** What a k_timer is initialised with; NULL for a function that there is not. */
#define K_TIMER_INITIALIZER(expiry, stop) \
	{.expiry_fn = (expiry), .stop_fn = (stop)K_OBJECT_INIT_BY_NAME_}
/** Define a timer, stopped, ready before any code runs; at file scope. */
#define K_TIMER_DEFINE(name, expiry, stop)                       \
	struct k_timer name = K_TIMER_INITIALIZER(expiry, stop); \
	K_OBJ_CORE_STATIC_(name, timer)

/** Prepare a timer, stopped; NULL for a function that there is not. Context: either. */
void k_timer_init(struct k_timer *timer, k_timer_expiry_t expiry, k_timer_stop_t stop);

/**
 * Start, or start anew: first expiry at the `duration`-th tick from now on (K_NO_WAIT: at the
 * next), so up to a tick early, as in Zephyr, or at the tick that K_TIMEOUT_ABS_...() names; then
 * every `period` on that grid (K_NO_WAIT or K_FOREVER: once). Its status becomes 0. No effect with
 * a `duration` of K_FOREVER.
 * Context: either.
 */
void k_timer_start(struct k_timer *timer, k_timeout_t duration, k_timeout_t period);

/**
 * Stop: call the stop function, and wake the threads in k_timer_status_sync(). No effect on
 * a timer that does not run.
 * Context: either.
 */
void k_timer_stop(struct k_timer *timer);

/** Returns the expiries since this was last read. Context: either. */
uint32_t k_timer_status_get(struct k_timer *timer);

/**
 * As above, waiting for an expiry if there was none and the timer runs.
 * Returns the expiries since the status was last read; 0: stopped.
 * Context: thread.
 */
uint32_t k_timer_status_sync(struct k_timer *timer);

/** Returns the ticks until the next expiry; 0: stopped. Context: either. */
k_ticks_t k_timer_remaining_ticks(const struct k_timer *timer);
/** Returns the same in milliseconds, rounded down. Context: either. */
uint32_t k_timer_remaining_get(const struct k_timer *timer);
/**
 * When the next expiry is.
 * Returns its uptime tick, modulo 2^32 or 2^64; that of now for a timer that does not run.
 * Context: either.
 */
k_ticks_t k_timer_expires_ticks(const struct k_timer *timer);

/** Set the timer's own word. Context: either. */
#ifdef CONFIG_USERSPACE
void k_timer_user_data_set(struct k_timer *timer, void *data);
#else
static inline void k_timer_user_data_set(struct k_timer *timer, void *data)
{
	timer->user_data = data;
}
#endif

/** Returns the timer's own word. Context: either. */
#ifdef CONFIG_USERSPACE
void *k_timer_user_data_get(const struct k_timer *timer);
#else
static inline void *k_timer_user_data_get(const struct k_timer *timer)
{
	return timer->user_data;
}
#endif

#endif /* FOLIOT_TIMER_H */
