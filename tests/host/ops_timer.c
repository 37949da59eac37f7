/* SPDX-License-Identifier: Apache-2.0 */
/* Timers: op.timeout is the duration, op.a the period in ticks. */
#include <stdio.h>

#include "model.h"

static const char *const expired[TIMERS] = {"timer 0 expired", "timer 1 expired",
					    "timer 2 expired"};
static const char *const stopped[TIMERS] = {"timer 0 stopped", "timer 1 stopped",
					    "timer 2 stopped"};

static struct k_timer timers[TIMERS];
static struct m_timer {
	struct m_timeout timeout;
	struct m_queue queue;
	int64_t period;
	uint32_t status;
} m_timers[TIMERS];

/* Number 0 has functions of its own, and gives a semaphore in one of them. */
static void on_expiry(struct k_timer *timer)
{
	int id = (int)(timer - timers);

	log_real(NOBODY, expired[id], k_is_in_isr());
	real_sem_give(0);
}

static void on_stop(struct k_timer *timer)
{
	log_real(NOBODY, stopped[timer - timers], k_is_in_isr());
}

static void init(void)
{
	for (int i = 0; i < TIMERS; i++) {
		k_timer_init(&timers[i], i == 0 ? on_expiry : NULL, i == 0 ? on_stop : NULL);
		m_timeouts[TIMER_TIMEOUTS + i] = &m_timers[i].timeout;
	}
}

static void generate(struct op *op)
{
	op->object = (uint8_t)random_below(TIMERS);
	op->a = one_in(3) ? 0 : (int32_t)(1 + random_below(12));
}

/* In an ISR too; the timeout is cut to K_NO_WAIT there, so b holds it. */
static void generate_start(struct op *op)
{
	generate(op);
	op->b = (int32_t)op->timeout.ticks;
}

static void m_expire(int id)
{
	struct m_timer *timer = &m_timers[id];

	if (timer->period != 0) {
		m_arm(&timer->timeout, timer->timeout.when + timer->period, m_expire, id);
	}
	timer->status++;
	if (timer->queue.length != 0) {
		m_wake(timer->queue.thread[0], 0);
	}
	if (id == 0) {
		log_model(NOBODY, expired[id], true);
		m_sem_give(0);
	}
}

static long real_start(const struct op *op)
{
	k_timer_start(&timers[op->object], (k_timeout_t){(k_ticks_t)op->b},
		      K_TICKS((uint32_t)op->a));
	return 0;
}

static enum outcome model_start(const struct op *op, long *result)
{
	struct m_timer *timer = &m_timers[op->object];
	k_ticks_t duration = (k_ticks_t)op->b;

	*result = 0;
	if (duration == K_TICKS_FOREVER) {
		return DONE;
	}
	timer->status = 0;
	timer->period = op->a;
	timer->timeout.armed = false;
	m_arm(&timer->timeout,
	      op->b < 0 ? m_deadline((k_timeout_t){duration}) : m_now() + MAX((int64_t)duration, 1),
	      m_expire, op->object);
	return DONE;
}

static long real_stop(const struct op *op)
{
	k_timer_stop(&timers[op->object]);
	return 0;
}

static enum outcome model_stop(const struct op *op, long *result)
{
	struct m_timer *timer = &m_timers[op->object];

	*result = 0;
	if (!timer->timeout.armed) {
		return DONE;
	}
	timer->timeout.armed = false;
	if (op->object == 0) {
		log_model(NOBODY, stopped[0], model.in_isr);
	}
	m_wake_all(&timer->queue, 0);
	return DONE;
}

static long real_status(const struct op *op)
{
	return (long)k_timer_status_get(&timers[op->object]);
}

static enum outcome model_status(const struct op *op, long *result)
{
	*result = m_timers[op->object].status;
	m_timers[op->object].status = 0;
	return DONE;
}

static long real_sync(const struct op *op)
{
	return (long)k_timer_status_sync(&timers[op->object]);
}

static enum outcome model_sync(const struct op *op, long *result)
{
	struct m_timer *timer = &m_timers[op->object];

	if (timer->status == 0 && timer->timeout.armed) {
		return m_pend(&timer->queue, K_FOREVER, 0);
	}
	return model_status(op, result);
}

static long real_remaining(const struct op *op)
{
	return (long)k_timer_remaining_ticks(&timers[op->object]);
}

static enum outcome model_remaining(const struct op *op, long *result)
{
	const struct m_timeout *timeout = &m_timers[op->object].timeout;

	*result = timeout->armed ? MAX(timeout->when - m_now(), 0) : 0;
	return DONE;
}

static int show_real(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < TIMERS; i++) {
		const struct k_timer *t = &timers[i];

		n += snprintf(text + n, size - (size_t)n, "timer %d: ", i);
		if (t->running) {
			n += snprintf(text + n, size - (size_t)n, "at %llx ",
				      (unsigned long long)k_timer_expires_ticks(t));
		}
		n += snprintf(text + n, size - (size_t)n, "status %u", t->status);
		n += show_wait_q(text + n, size - (size_t)n, &t->wait_q);
	}
	return n;
}

static int show_model(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < TIMERS; i++) {
		const struct m_timer *t = &m_timers[i];

		n += snprintf(text + n, size - (size_t)n, "timer %d: ", i);
		if (t->timeout.armed) {
			n += snprintf(text + n, size - (size_t)n, "at %llx ",
				      (unsigned long long)(k_ticks_t)(t->timeout.when -
								      CONFIG_SYS_CLOCK_FIRST_TICK));
		}
		n += snprintf(text + n, size - (size_t)n, "status %u", t->status);
		n += show_m_queue(text + n, size - (size_t)n, &t->queue);
	}
	return n;
}

static const struct op_type types[] = {
	{"timer_start", 30, CAN_ALL, generate_start, real_start, model_start, NULL},
	{"timer_stop", 10, CAN_ALL, generate, real_stop, model_stop, NULL},
	{"timer_status_get", 10, CAN_ALL, generate, real_status, model_status, NULL},
	{"timer_status_sync", 20, CAN_MASK, generate, real_sync, model_sync, model_status},
	{"timer_remaining", 5, CAN_ALL, generate, real_remaining, model_remaining, NULL},
};

const struct family family_timer = {
	"timer", types, ARRAY_SIZE(types), init, show_real, show_model, NULL,
};
