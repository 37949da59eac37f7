/* SPDX-License-Identifier: Apache-2.0 */
/* Timers. A periodic one stays on the grid of its first expiry, however late it runs. */
#include "kernel/sched/sched.h"
#include "kernel/hooks/object.h"
#include "kernel/time/timeout.h"
#include "kernel/time/tick.h"
#include "kernel/time/clock.h"

static void call_expiry(struct k_timer *timer)
{
	if (timer->expiry_fn != NULL) {
		tick_unlock(ARCH_IRQ_KEY_ISR);
		timer->expiry_fn(timer);
		(void)tick_lock();
	}
}

/* A periodic one, or somebody waits for it. */
static __noinline void expired_slow(struct k_timer *timer)
{
	if (timer->period != 0) {
		timeout_add(&timer->timeout, timer->timeout.when + timer->period);
	} else {
		timer->running = false;
	}
	if (timer->wait_q.head != NULL) {
		sched_wake(timer->wait_q.head, 0);
	}
	call_expiry(timer);
}

static void timer_expired(struct timeout *timeout)
{
	struct k_timer *timer = CONTAINER_OF(timeout, struct k_timer, timeout);

	timer->status++;
	if (timer->period != 0 || timer->wait_q.head != NULL) {
		expired_slow(timer);
		return;
	}
	timer->running = false;
	call_expiry(timer);
}

void k_timer_init(struct k_timer *timer, k_timer_expiry_t expiry, k_timer_stop_t stop)
{
	object_init_begin(timer, timer);
	*timer = (struct k_timer)K_TIMER_INITIALIZER(expiry, stop);
	object_init_end(timer, timer);
}

void k_timer_start(struct k_timer *timer, k_timeout_t duration, k_timeout_t period)
{
	unsigned int key;

	if (duration.ticks == K_TICKS_FOREVER) {
		return;
	}
	key = arch_irq_lock();
	if (unlikely(timer->running)) {
		timeout_cancel(&timer->timeout);
	}
	timer->running = true;
	timer->status = 0;
	if (unlikely(period.ticks == K_TICKS_FOREVER || timeout_is_absolute(period))) {
		period.ticks = 0;
		OPAQUE(period.ticks); /* a branch that is not taken, not four instructions */
	}
	timer->period = (timeout_tick_t)period.ticks;
	timer->timeout.expire = timer_expired;
	if (timeout_is_absolute(duration)) {
		timeout_add(&timer->timeout, timeout_deadline(duration));
		arch_irq_unlock(key);
		return;
	}
	timeout_start(&timer->timeout, MAX((timeout_tick_t)duration.ticks, 1U), key);
}

/* To its stop function, and to those who wait for it; restores key. */
static __noinline void tell_stopped(struct k_timer *timer, unsigned int key)
{
	if (timer->stop_fn != NULL) {
		arch_irq_unlock(key);
		timer->stop_fn(timer);
		key = arch_irq_lock();
	}
	(void)sched_wake_all(&timer->wait_q, 0, key);
	sched_traversal_end(key);
}

void k_timer_stop(struct k_timer *timer)
{
	unsigned int key = arch_irq_lock();

	if (!timer->running) {
		arch_irq_unlock(key);
		return;
	}
	timeout_cancel(&timer->timeout);
	timer->running = false;
	if (timer->stop_fn != NULL || timer->wait_q.head != NULL) {
		tell_stopped(timer, key);
		return;
	}
	arch_irq_unlock(key);
}

uint32_t k_timer_status_get(struct k_timer *timer)
{
	unsigned int key = arch_irq_lock();
	uint32_t status = timer->status;

	timer->status = 0;
	arch_irq_unlock(key);
	return status;
}

uint32_t k_timer_status_sync(struct k_timer *timer)
{
	unsigned int key = arch_irq_lock();

	if (timer->status == 0 && timer->running) {
		(void)sched_pend_slow(&timer->wait_q, K_FOREVER, key, 0);
	} else {
		arch_irq_unlock(key);
	}
	return k_timer_status_get(timer);
}

k_ticks_t k_timer_remaining_ticks(const struct k_timer *timer)
{
	unsigned int key = arch_irq_lock();
	timeout_tick_t left = timer->running ? timeout_remaining(&timer->timeout) : 0;

	arch_irq_unlock(key);
	return (k_ticks_t)left;
}

uint32_t k_timer_remaining_get(const struct k_timer *timer)
{
	return k_ticks_to_ms_floor32((uint64_t)k_timer_remaining_ticks(timer));
}

k_ticks_t k_timer_expires_ticks(const struct k_timer *timer)
{
	unsigned int key = arch_irq_lock();
	timeout_tick_t when = timer->running ? timer->timeout.when : clock_ticks();

	arch_irq_unlock(key);
	return (k_ticks_t)(when - CONFIG_SYS_CLOCK_FIRST_TICK);
}
