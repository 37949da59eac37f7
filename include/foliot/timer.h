/* SPDX-License-Identifier: Apache-2.0 */
/* Timers: a function called after a time, once or again and again. */
#ifndef FOLIOT_TIMER_H
#define FOLIOT_TIMER_H

#include <foliot/time.h>
#include <foliot/obj_core.h>
#include <foliot/wait_q.h>

struct k_timer;
typedef void (*k_timer_expiry_t)(struct k_timer *timer);
typedef void (*k_timer_stop_t)(struct k_timer *timer);

struct k_timer {
	struct timeout timeout;
	_wait_q_t wait_q;
	k_timer_expiry_t expiry_fn; /* in ISR context */
	k_timer_stop_t stop_fn;     /* in the context of k_timer_stop() */
	k_ticks_t period;           /* ticks; 0: one shot */
	uint32_t status;            /* expiries since last read */
	void *user_data;
	bool running;
	K_OBJ_CORE_MEMBER
};

#define K_TIMER_INITIALIZER(expiry, stop) {.expiry_fn = (expiry), .stop_fn = (stop)}
#define K_TIMER_DEFINE(name, expiry, stop)                       \
	struct k_timer name = K_TIMER_INITIALIZER(expiry, stop); \
	K_OBJ_CORE_STATIC_(name, timer)

/* Context: either. */
void k_timer_init(struct k_timer *timer, k_timer_expiry_t expiry, k_timer_stop_t stop);

/*
 * Start, or start anew: first expiry after `duration`, then every `period` on that
 * grid (K_NO_WAIT or K_FOREVER: once). Its status becomes 0. Context: either.
 */
void k_timer_start(struct k_timer *timer, k_timeout_t duration, k_timeout_t period);

/* Stop; calls the stop function, wakes who waits. No effect when stopped. Context: either. */
void k_timer_stop(struct k_timer *timer);

/* Expiries since the last read, which resets them. Context: either. */
uint32_t k_timer_status_get(struct k_timer *timer);
/* As above, waiting for one if there was none and the timer runs. Context: thread. */
uint32_t k_timer_status_sync(struct k_timer *timer);

/* Time until the next expiry, 0 when stopped. Ticks or milliseconds. Context: either. */
k_ticks_t k_timer_remaining_ticks(const struct k_timer *timer);
uint32_t k_timer_remaining_get(const struct k_timer *timer);
/* Uptime tick of the next expiry, modulo 2^32. Context: either. */
k_ticks_t k_timer_expires_ticks(const struct k_timer *timer);

static inline void k_timer_user_data_set(struct k_timer *timer, void *data)
{
	timer->user_data = data;
}

static inline void *k_timer_user_data_get(const struct k_timer *timer)
{
	return timer->user_data;
}

#endif /* FOLIOT_TIMER_H */
