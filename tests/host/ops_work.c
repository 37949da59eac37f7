/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work items: submitting them, waiting for their end, taking them back. What an item does follows from its number (enum
 * deed); those that poll are ops_poll_work.c's. Their delays are ops_work_delay.c's, their queues ops_work_queue.c's.
 */
#include <stdio.h>

#include "ops_work.h"

#define DEED_TICKS 2

struct k_work_delayable real_work_items[WORK_ITEMS];
struct m_work_item m_work_items[ALL_ITEMS];
static int runs[WORK_ITEMS];

enum deed { NOTHING, SLEEPS, SUBMITS_ITSELF, SUBMITS_ANOTHER, DELAYS_ITSELF };

static const char handler_began[] = "work handler";
static const char handler_went_on[] = "work handler's deed";

static struct {
	int item;
	int left; /* of its runs that have to end */
} m_waits[THREADS];

void work_generate(struct op *op)
{
	op->object = (uint8_t)random_below(WORK_ITEMS);
	op->a = (int32_t)random_below(4);
	op->b = (int32_t)random_below(one_in(6) ? QUEUES + 1 : QUEUES);
}

/* ---- what items do ---- */

/* Not always, or they would do nothing else. */
static bool acts(int run)
{
	return run % 3 == 0;
}

static void handler(struct k_work *work)
{
	int i = (int)(k_work_delayable_from_work(work) - real_work_items);
	long result = 0;

	log_real(real_self(), handler_began, i);
	if (!acts(++runs[i])) {
		return;
	}
	switch ((enum deed)i) {
	case SLEEPS:
		(void)k_sleep(K_TICKS(DEED_TICKS));
		break;
	case SUBMITS_ITSELF:
		result = k_work_submit_to_queue(NULL, work);
		break;
	case SUBMITS_ANOTHER:
		result = k_work_submit(&real_work_items[NOTHING].work);
		break;
	case DELAYS_ITSELF:
		result = k_work_reschedule(&real_work_items[i], K_TICKS(DEED_TICKS));
		break;
	default:
		return;
	}
	log_real(real_self(), handler_went_on, result);
}

enum outcome m_work_handler_begins(struct m_work_q *q)
{
	struct m_work_item *m = &m_work_items[q->runs];

	q->step = RUN_ENDED;
	if (q->runs >= WORK_ITEMS) {
		m_poll_item_begins(q->runs - WORK_ITEMS);
		return BLOCKED;
	}
	log_model(model.current, handler_began, q->runs);
	if (!acts(++m->runs)) {
		return BLOCKED;
	}
	q->deed_result = 0;
	q->step = HANDLER_GOES_ON;
	switch ((enum deed)q->runs) {
	case SLEEPS:
		return m_pend(NULL, K_TICKS(DEED_TICKS), 0);
	case SUBMITS_ITSELF:
		q->deed_result = m_work_put(NOBODY, q->runs);
		break;
	case SUBMITS_ANOTHER:
		q->deed_result = m_work_put(SYSTEM, NOTHING);
		break;
	case DELAYS_ITSELF:
		(void)m_work_undelay(q->runs);
		q->deed_result = m_work_delay(SYSTEM, q->runs, K_TICKS(DEED_TICKS));
		break;
	default:
		q->step = RUN_ENDED;
		break;
	}
	return BLOCKED;
}

void m_work_handler_goes_on(const struct m_work_q *q)
{
	log_model(model.current, handler_went_on, q->deed_result);
}

/* ---- submitting ---- */

struct k_work_q *real_work_queue_of(const struct op *op)
{
	return op->b == LAST_QUEUE ? NULL : real_work_queues[op->b];
}

static int m_may_put(int queue)
{
	const struct m_work_q *q = &m_work_queues[queue];
	bool own = model.current == q->thread && !model.in_isr;

	if (!q->started) {
		return -ENODEV;
	}
	if (q->drains ? !own : q->is_plugged) {
		return -EBUSY;
	}
	return 0;
}

int m_work_put(int queue, int item)
{
	struct m_work_item *m = &m_work_items[item];
	struct m_work_q *q;
	bool runs_now = m->is_running;
	int refused;

	if (m->is_canceling) {
		return -EBUSY;
	}
	if (m->is_queued) {
		return 0;
	}
	if (queue == NOBODY || runs_now) {
		queue = m->queue;
	}
	if (queue == NOBODY) {
		return -EINVAL;
	}
	refused = m_may_put(queue);
	if (refused != 0) {
		return refused;
	}
	q = &m_work_queues[queue];
	m->queue = queue;
	m->is_queued = true;
	q->item[q->length++] = item;
	if (q->idle.length != 0) {
		m_wake(q->idle.thread[0], 0);
	}
	return runs_now ? 2 : 1;
}

int m_work_queue_of(const struct op *op)
{
	return op->b == LAST_QUEUE ? NOBODY : op->b;
}

static long real_submit(const struct op *op)
{
	return k_work_submit_to_queue(real_work_queue_of(op), &real_work_items[op->object].work);
}

static enum outcome model_submit(const struct op *op, long *result)
{
	*result = m_work_put(m_work_queue_of(op), op->object);
	return DONE;
}

/* ---- waiting for the end ---- */

static int m_busy(int item)
{
	const struct m_work_item *m = &m_work_items[item];

	return (m->is_running ? K_WORK_RUNNING : 0) | (m->is_canceling ? K_WORK_CANCELING : 0) |
	       (m->is_queued ? K_WORK_QUEUED : 0) | (m->is_delayed ? K_WORK_DELAYED : 0) |
	       (m->is_flushed ? K_WORK_FLUSHING : 0);
}

void m_work_tell_waiters(int item, int ended, int left)
{
	struct m_queue *syncs = &m_work_queues[m_work_items[item].queue].syncs;

	m_work_items[item].is_flushed = false;
	for (int i = 0; i < syncs->length;) {
		int id = syncs->thread[i];

		if (m_waits[id].item != item) {
			i++;
			continue;
		}
		m_waits[id].left = MIN(m_waits[id].left - ended, left);
		if (m_waits[id].left <= 0) {
			m_wake(id, 0);
		} else {
			m_work_items[item].is_flushed = true;
			i++;
		}
	}
}

static enum outcome m_wait(int item, int for_runs, long *result)
{
	m_waits[model.current].item = item;
	m_waits[model.current].left = for_runs;
	model.thread[model.current].saved = *result;
	return m_pend(&m_work_queues[m_work_items[item].queue].syncs, K_FOREVER, 0);
}

static enum outcome resume_wait(const struct op *op, long *result)
{
	*result = model.thread[model.current].saved;
	return DONE;
}

static long real_flush(const struct op *op)
{
	struct k_work_sync sync;

	return op->a == 0 ? k_work_flush(&real_work_items[op->object].work, &sync)
			  : k_work_flush_delayable(&real_work_items[op->object], &sync);
}

static enum outcome model_flush(const struct op *op, long *result)
{
	struct m_work_item *m = &m_work_items[op->object];

	if (op->a != 0 && m_work_undelay(op->object)) {
		(void)m_work_put(m->delayed_for, op->object);
	}
	*result = m->is_queued || m->is_running;
	if (*result == 0) {
		return DONE;
	}
	m->is_flushed = true;
	return m_wait(op->object, (m->is_queued ? 1 : 0) + (m->is_running ? 1 : 0), result);
}

static void m_cancel(int item)
{
	struct m_work_item *m = &m_work_items[item];

	if (m->is_queued) {
		struct m_work_q *q = &m_work_queues[m->queue];
		int kept = 0;

		for (int i = 0; i < q->length; i++) {
			if (q->item[i] != item) {
				q->item[kept++] = q->item[i];
			}
		}
		q->length = kept;
		m->is_queued = false;
		if (m->is_flushed) {
			m_work_tell_waiters(item, 0, m->is_running ? 1 : 0);
		}
	}
	m->is_canceling = m->is_canceling || m->is_running;
}

static long real_cancel(const struct op *op)
{
	return op->a == 0 ? k_work_cancel(&real_work_items[op->object].work)
			  : k_work_cancel_delayable(&real_work_items[op->object]);
}

static enum outcome model_cancel(const struct op *op, long *result)
{
	if (op->a != 0) {
		(void)m_work_undelay(op->object);
	}
	m_cancel(op->object);
	*result = m_busy(op->object);
	return DONE;
}

static long real_cancel_sync(const struct op *op)
{
	struct k_work_sync sync;

	return op->a == 0 ? k_work_cancel_sync(&real_work_items[op->object].work, &sync)
			  : k_work_cancel_delayable_sync(&real_work_items[op->object], &sync);
}

static enum outcome model_cancel_sync(const struct op *op, long *result)
{
	*result = m_busy(op->object) != 0;
	if (op->a != 0) {
		(void)m_work_undelay(op->object);
	}
	model.thread[model.current].saved = *result;
	model.thread[model.current].phase = m_work_items[op->object].ended;
	m_cancel(op->object);
	return m_work_items[op->object].is_running ? BLOCKED
						   : DONE; /* whom it woke may run first */
}

/* Unless that run has ended meanwhile. */
static enum outcome wait_for_cancelled(const struct op *op, long *result)
{
	const struct m_work_item *m = &m_work_items[op->object];
	struct m_thread *t = &model.thread[model.current];

	*result = t->saved;
	if (t->phase == NOBODY || !m->is_running || m->ended != t->phase) {
		return DONE;
	}
	t->phase = NOBODY;
	return m_wait(op->object, 1, result);
}

static long real_busy(const struct op *op)
{
	return k_work_delayable_busy_get(&real_work_items[op->object]);
}

static enum outcome model_busy(const struct op *op, long *result)
{
	*result = m_busy(op->object);
	return DONE;
}

/* ---- state ---- */

static void init(void)
{
	for (int i = 0; i < WORK_ITEMS; i++) {
		k_work_init_delayable(&real_work_items[i], handler);
	}
	for (int i = 0; i < ALL_ITEMS; i++) {
		m_work_items[i].queue = NOBODY;
	}
}

static int show_real(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < WORK_ITEMS; i++) {
		n += snprintf(text + n, size - (size_t)n, "item %d: %x; ", i,
			      k_work_delayable_busy_get(&real_work_items[i]));
	}
	return n;
}

static int show_model(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < WORK_ITEMS; i++) {
		n += snprintf(text + n, size - (size_t)n, "item %d: %x; ", i, m_busy(i));
	}
	return n;
}

static const struct op_type types[] = {
	{"work_submit", 40, CAN_ALL, work_generate, real_submit, model_submit, NULL},
	{"work_flush", 10, THREADS_ONLY, work_generate, real_flush, model_flush, resume_wait},
	{"work_cancel", 12, CAN_ALL, work_generate, real_cancel, model_cancel, NULL},
	{"work_cancel_sync", 10, THREADS_ONLY, work_generate, real_cancel_sync, model_cancel_sync,
	 wait_for_cancelled},
	{"work_busy_get", 4, CAN_ALL, work_generate, real_busy, model_busy, NULL},
};

const struct family family_work = {
	"work", types, ARRAY_SIZE(types), init, show_real, show_model, NULL,
};
