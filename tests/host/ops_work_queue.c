/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work queues: the system's, and two that workers serve, who are its threads until somebody stops it. Who serves a
 * queue is not aborted: its queue could not be used any more, in any kernel.
 */
#include <limits.h>
#include <stdio.h>

#include "ops_work.h"

static struct k_work_q queues[QUEUES];
struct k_work_q *const real_work_queues[QUEUES] = {&k_sys_work_q, &queues[1], &queues[2]};
struct m_work_q m_work_queues[QUEUES];

static void generate_queue(struct op *op)
{
	op->object = (uint8_t)(1 + random_below(QUEUES - 1));
	op->a = one_in(3);
}

static void generate_any_queue(struct op *op)
{
	op->object = (uint8_t)random_below(QUEUES);
	op->a = one_in(2);
}

static long real_run(const struct op *op)
{
	struct k_work_queue_config config = {.no_yield = op->a != 0};
	struct k_work_q *queue = real_work_queues[op->object];

	if (queue->flags != 0) {
		return SKIPPED;
	}
	k_work_queue_run(queue, &config);
	return 0;
}

static struct m_work_q *served_by(int id)
{
	for (int i = 0; i < QUEUES; i++) {
		if (m_work_queues[i].started && m_work_queues[i].thread == id) {
			return &m_work_queues[i];
		}
	}
	return NULL;
}

bool m_work_serves(int id)
{
	return served_by(id) != NULL;
}

bool real_work_serves(int id)
{
	for (int i = 0; i < QUEUES; i++) {
		if (real_work_queues[i]->flags != 0 &&
		    real_work_queues[i]->thread_id == &workers[id]) {
			return true;
		}
	}
	return false;
}

/* The first item, or waiting for one, or the end. */
static enum outcome look(struct m_work_q *q, long *result)
{
	if (q->length != 0) {
		q->runs = q->item[0];
		q->length--;
		for (int i = 0; i < q->length; i++) {
			q->item[i] = q->item[i + 1];
		}
		m_work_items[q->runs].is_queued = false;
		m_work_items[q->runs].is_running = true;
		q->busy = true;
		q->step = HANDLER_BEGINS;
		return BLOCKED;
	}
	if (q->drains) {
		q->drains = false;
		m_wake_all(&q->drainers, 1);
		return BLOCKED;
	}
	if (q->stops) {
		q->started = q->is_plugged = q->stops = q->never_yields = false;
		*result = 0;
		return DONE;
	}
	return m_pend(&q->idle, K_FOREVER, 0);
}

/* Who was told may run before it yields; both are one step here, for nobody can act between them. */
static enum outcome end_run(struct m_work_q *q)
{
	struct m_work_item *m = &m_work_items[q->runs];

	q->busy = false;
	q->step = LOOK;
	m->is_running = false;
	m->ended++;
	if (m->is_flushed || m->is_canceling) {
		m->is_canceling = false;
		m_work_tell_waiters(q->runs, 1, INT_MAX);
	}
	return BLOCKED;
}

static enum outcome serve(const struct op *op, long *result)
{
	struct m_work_q *q = &m_work_queues[op->object];

	switch (q->step) {
	case HANDLER_BEGINS:
		return m_work_handler_begins(q);
	case HANDLER_GOES_ON:
		m_work_handler_goes_on(q);
		q->step = RUN_ENDED;
		return BLOCKED;
	case RUN_ENDED:
		if (q->busy) {
			(void)end_run(q);
			q->step = q->never_yields ? LOOK : RUN_ENDED;
			return BLOCKED;
		}
		q->step = LOOK;
		m_yield();
		return BLOCKED;
	default:
		return look(q, result);
	}
}

static enum outcome model_run(const struct op *op, long *result)
{
	struct m_work_q *q = &m_work_queues[op->object];

	if (q->started) {
		*result = SKIPPED;
		return DONE;
	}
	q->started = true;
	q->never_yields = op->a != 0;
	q->thread = model.current;
	q->step = LOOK;
	return serve(op, result);
}

static void m_notify(struct m_work_q *q)
{
	if (q->idle.length != 0) {
		m_wake(q->idle.thread[0], 0);
	}
}

/* One that was never started has nobody to drain it. */
static long real_drain(const struct op *op)
{
	struct k_work_q *queue = real_work_queues[op->object];

	return queue->flags == 0 ? SKIPPED : k_work_queue_drain(queue, op->a != 0);
}

static enum outcome model_drain(const struct op *op, long *result)
{
	struct m_work_q *q = &m_work_queues[op->object];

	if (!q->started) {
		*result = SKIPPED;
		return DONE;
	}
	if (!q->busy && !q->drains && op->a == 0 && q->length == 0) {
		*result = 0;
		return DONE;
	}
	q->drains = true;
	q->is_plugged = q->is_plugged || op->a != 0;
	m_notify(q);
	return m_pend(&q->drainers, K_FOREVER, 0);
}

static long real_unplug(const struct op *op)
{
	return k_work_queue_unplug(real_work_queues[op->object]);
}

static enum outcome model_unplug(const struct op *op, long *result)
{
	struct m_work_q *q = &m_work_queues[op->object];

	*result = q->is_plugged ? 0 : -EALREADY;
	q->is_plugged = false;
	return DONE;
}

/* Its thread goes on elsewhere, so that its end is not to be waited for long. */
static long real_stop(const struct op *op)
{
	return k_work_queue_stop(real_work_queues[op->object], K_TICKS(1));
}

static enum outcome stop_waits(const struct op *op, long *result)
{
	struct m_work_q *q = &m_work_queues[op->object];
	struct m_thread *t = &model.thread[model.current];

	if (t->phase == 0) {
		t->phase = 1;
		if (m_join(q->thread, K_TICKS(1), result) == BLOCKED) {
			return BLOCKED;
		}
	} else {
		*result = t->wake_result;
	}
	if (*result != 0) {
		q->stops = false;
		*result = -ETIMEDOUT;
	}
	return DONE;
}

static enum outcome model_stop(const struct op *op, long *result)
{
	struct m_work_q *q = &m_work_queues[op->object];

	if (!q->started || !q->is_plugged) {
		*result = q->started ? -EBUSY : -EALREADY;
		return DONE;
	}
	q->stops = true;
	m_notify(q);
	model.thread[model.current].phase = 0;
	return BLOCKED; /* it may be switched from before it joins */
}

/* ---- state ---- */

static void start_the_system_queue(void)
{
	struct script script = {.length = 1};

	for (size_t type = 0; op_types[type].name != NULL; type++) {
		if (op_types[type].model == model_run) {
			script.op[0].type = (uint8_t)type;
		}
	}
	m_create(SYSTEM_QUEUE, CONFIG_SYSTEM_WORKQUEUE_PRIORITY);
	model.thread[SYSTEM_QUEUE].prestart = false;
	model.thread[SYSTEM_QUEUE].script = script;
	model.thread[SYSTEM_QUEUE].stage = NEXT;
	m_ready(SYSTEM_QUEUE);
	m_run();
}

static void init(void)
{
	for (int i = 1; i < QUEUES; i++) {
		k_work_queue_init(&queues[i]);
	}
	start_the_system_queue();
}

static int number_of(const struct k_work *work)
{
	for (int i = 0; i < POLL_ITEMS; i++) {
		if (work == real_poll_item(i)) {
			return WORK_ITEMS + i;
		}
	}
	return (int)(CONTAINER_OF(work, struct k_work_delayable, work) - real_work_items);
}

static int show_real(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < QUEUES; i++) {
		const struct k_work_q *q = real_work_queues[i];

		n += snprintf(text + n, size - (size_t)n, "queue %d:", i);
		for (const struct k_work *work = q->head; work != NULL; work = work->next) {
			n += snprintf(text + n, size - (size_t)n, " %d", number_of(work));
		}
		n += show_wait_q(text + n, size - (size_t)n, &q->idle);
		n += show_wait_q(text + n, size - (size_t)n, &q->drainers);
		n += show_wait_q(text + n, size - (size_t)n, &q->syncs);
	}
	return n;
}

static int show_model(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < QUEUES; i++) {
		const struct m_work_q *q = &m_work_queues[i];

		n += snprintf(text + n, size - (size_t)n, "queue %d:", i);
		for (int k = 0; k < q->length; k++) {
			n += snprintf(text + n, size - (size_t)n, " %d", q->item[k]);
		}
		n += show_m_queue(text + n, size - (size_t)n, &q->idle);
		n += show_m_queue(text + n, size - (size_t)n, &q->drainers);
		n += show_m_queue(text + n, size - (size_t)n, &q->syncs);
	}
	return n;
}

static const struct op_type types[] = {
	{"work_queue_run", 12, 0, generate_queue, real_run, model_run, serve},
	{"work_queue_drain", 6, THREADS_ONLY, generate_any_queue, real_drain, model_drain, NULL},
	{"work_queue_unplug", 4, CAN_ALL, generate_any_queue, real_unplug, model_unplug, NULL},
	{"work_queue_stop", 8, THREADS_ONLY, generate_queue, real_stop, model_stop, stop_waits},
};

const struct family family_work_queue = {
	"work", types, ARRAY_SIZE(types), init, show_real, show_model, NULL,
};
