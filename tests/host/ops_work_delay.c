/* SPDX-License-Identifier: Apache-2.0 */
/* Work items that are submitted later: the time that is left, and what comes when it is over. */
#include <stdio.h>

#include "ops_work.h"

static void time_has_come(int item)
{
	m_work_items[item].is_delayed = false;
	(void)m_work_put(m_work_items[item].delayed_for, item);
}

bool m_work_undelay(int item)
{
	bool was_delayed = m_work_items[item].is_delayed;

	m_work_items[item].is_delayed = false;
	m_work_items[item].timeout.armed = false;
	return was_delayed;
}

long m_work_delay(int queue, int item, k_timeout_t delay)
{
	struct m_work_item *m = &m_work_items[item];

	if (delay.ticks == 0) {
		return m_work_put(queue, item);
	}
	m->is_delayed = true;
	m->delayed_for = queue;
	if (delay.ticks != K_TICKS_FOREVER) {
		m_arm(&m->timeout, m_deadline(delay), time_has_come, item);
	}
	return 1;
}

static long real_schedule(const struct op *op)
{
	return k_work_schedule_for_queue(real_work_queue_of(op), &real_work_items[op->object],
					 op->timeout);
}

static enum outcome model_schedule(const struct op *op, long *result)
{
	const struct m_work_item *m = &m_work_items[op->object];

	*result = 0;
	if (!m->is_canceling && !m->is_queued && !m->is_delayed && !m->is_flushed) {
		*result = m_work_delay(m_work_queue_of(op), op->object, op->timeout);
	}
	return DONE;
}

static long real_reschedule(const struct op *op)
{
	return k_work_reschedule_for_queue(real_work_queue_of(op), &real_work_items[op->object],
					   op->timeout);
}

static enum outcome model_reschedule(const struct op *op, long *result)
{
	(void)m_work_undelay(op->object);
	*result = m_work_delay(m_work_queue_of(op), op->object, op->timeout);
	return DONE;
}

static long real_remaining(const struct op *op)
{
	return (long)k_work_delayable_remaining_get(&real_work_items[op->object]);
}

static enum outcome model_remaining(const struct op *op, long *result)
{
	const struct m_timeout *timeout = &m_work_items[op->object].timeout;

	*result = timeout->armed ? MAX(timeout->when - m_now(), 0) : 0;
	return DONE;
}

/* ---- state ---- */

static void init(void)
{
	for (int i = 0; i < WORK_ITEMS; i++) {
		m_timeouts[WORK_TIMEOUTS + i] = &m_work_items[i].timeout;
	}
}

static int show_real(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < WORK_ITEMS; i++) {
		n += snprintf(text + n, size - (size_t)n, "item %d: %lld; ", i,
			      (long long)k_work_delayable_remaining_get(&real_work_items[i]));
	}
	return n;
}

static int show_model(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < WORK_ITEMS; i++) {
		const struct m_timeout *timeout = &m_work_items[i].timeout;

		n += snprintf(text + n, size - (size_t)n, "item %d: %lld; ", i,
			      (long long)(timeout->armed ? MAX(timeout->when - m_now(), 0) : 0));
	}
	return n;
}

static const struct op_type types[] = {
	{"work_schedule", 20, CAN_ALL, work_generate, real_schedule, model_schedule, NULL},
	{"work_reschedule", 10, CAN_ALL, work_generate, real_reschedule, model_reschedule, NULL},
	{"work_remaining", 2, CAN_ALL, work_generate, real_remaining, model_remaining, NULL},
};

const struct family family_work_delay = {
	"work", types, ARRAY_SIZE(types), init, show_real, show_model, NULL,
};
