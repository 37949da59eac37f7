/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work queues: the system's, and two that workers serve, who are its threads until somebody stops it. What an item does
 * follows from its number (enum deed); those that poll are ops_poll.c's. Who serves a queue is not aborted: its queue
 * could not be used any more, in any kernel.
 */
#include <limits.h>
#include <stdio.h>

#include "model.h"

#define QUEUES     3
#define SYSTEM     0 /* the number of the system's queue */
#define LAST_QUEUE QUEUES /* op.b: none is named */
#define ALL_ITEMS  (WORK_ITEMS + POLL_ITEMS)
#define DEED_TICKS 2

static struct k_work_q queues[QUEUES];
struct k_work_q *const real_work_queues[QUEUES] = {&k_sys_work_q, &queues[1], &queues[2]};
static struct k_work_delayable items[WORK_ITEMS];
static int runs[WORK_ITEMS];

enum deed { NOTHING, SLEEPS, SUBMITS_ITSELF, SUBMITS_ANOTHER, DELAYS_ITSELF };

static const char handler_began[] = "work handler";
static const char handler_went_on[] = "work handler's deed";

enum step { LOOK, HANDLER_BEGINS, HANDLER_GOES_ON, RUN_ENDED };

static struct m_work_q {
	bool started, busy, drains, is_plugged, stops, never_yields;
	int thread;
	struct m_queue idle, drainers, syncs;
	int length;
	int item[ALL_ITEMS];
	int runs; /* an item, while `busy` */
	enum step step;
	long deed_result;
} m_queues[QUEUES];

static struct m_work_item {
	bool is_running, is_canceling, is_queued, is_delayed, is_flushed;
	int queue; /* the last; NOBODY: none yet */
	int delayed_for;
	struct m_timeout timeout;
	int runs;
	int ended; /* of its runs */
} m_items[ALL_ITEMS];

static struct {
	int item;
	int left; /* of its runs that have to end */
} m_waits[THREADS];

static void generate(struct op *op)
{
	op->object = (uint8_t)random_below(WORK_ITEMS);
	op->a = (int32_t)random_below(4);
	op->b = (int32_t)random_below(one_in(6) ? QUEUES + 1 : QUEUES);
}

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

/* ---- what items do ---- */

/* Not always, or they would do nothing else. */
static bool acts(int run)
{
	return run % 3 == 0;
}

static void handler(struct k_work *work)
{
	int i = (int)(k_work_delayable_from_work(work) - items);
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
		result = k_work_submit(&items[NOTHING].work);
		break;
	case DELAYS_ITSELF:
		result = k_work_reschedule(&items[i], K_TICKS(DEED_TICKS));
		break;
	default:
		return;
	}
	log_real(real_self(), handler_went_on, result);
}

/* ---- submitting ---- */

static struct k_work_q *queue_of(const struct op *op)
{
	return op->b == LAST_QUEUE ? NULL : real_work_queues[op->b];
}

static int m_may_put(int queue)
{
	const struct m_work_q *q = &m_queues[queue];
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
	struct m_work_item *m = &m_items[item];
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
	q = &m_queues[queue];
	m->queue = queue;
	m->is_queued = true;
	q->item[q->length++] = item;
	if (q->idle.length != 0) {
		m_wake(q->idle.thread[0], 0);
	}
	return runs_now ? 2 : 1;
}

static int m_queue_of(const struct op *op)
{
	return op->b == LAST_QUEUE ? NOBODY : op->b;
}

static long real_submit(const struct op *op)
{
	return k_work_submit_to_queue(queue_of(op), &items[op->object].work);
}

static enum outcome model_submit(const struct op *op, long *result)
{
	*result = m_work_put(m_queue_of(op), op->object);
	return DONE;
}

/* ---- delays ---- */

static void time_has_come(int item)
{
	m_items[item].is_delayed = false;
	(void)m_work_put(m_items[item].delayed_for, item);
}

static bool m_undelay(int item)
{
	bool was_delayed = m_items[item].is_delayed;

	m_items[item].is_delayed = false;
	m_items[item].timeout.armed = false;
	return was_delayed;
}

static long m_delay(int queue, int item, k_timeout_t delay)
{
	struct m_work_item *m = &m_items[item];

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
	return k_work_schedule_for_queue(queue_of(op), &items[op->object], op->timeout);
}

static enum outcome model_schedule(const struct op *op, long *result)
{
	const struct m_work_item *m = &m_items[op->object];

	*result = 0;
	if (!m->is_canceling && !m->is_queued && !m->is_delayed && !m->is_flushed) {
		*result = m_delay(m_queue_of(op), op->object, op->timeout);
	}
	return DONE;
}

static long real_reschedule(const struct op *op)
{
	return k_work_reschedule_for_queue(queue_of(op), &items[op->object], op->timeout);
}

static enum outcome model_reschedule(const struct op *op, long *result)
{
	(void)m_undelay(op->object);
	*result = m_delay(m_queue_of(op), op->object, op->timeout);
	return DONE;
}

static long real_remaining(const struct op *op)
{
	return (long)k_work_delayable_remaining_get(&items[op->object]);
}

static enum outcome model_remaining(const struct op *op, long *result)
{
	const struct m_timeout *timeout = &m_items[op->object].timeout;

	*result = timeout->armed ? MAX(timeout->when - m_now(), 0) : 0;
	return DONE;
}

/* ---- waiting for the end ---- */

static int m_busy(int item)
{
	const struct m_work_item *m = &m_items[item];

	return (m->is_running ? K_WORK_RUNNING : 0) | (m->is_canceling ? K_WORK_CANCELING : 0) |
	       (m->is_queued ? K_WORK_QUEUED : 0) | (m->is_delayed ? K_WORK_DELAYED : 0) |
	       (m->is_flushed ? K_WORK_FLUSHING : 0);
}

/* `ended` of its runs have, or no more than `left` are to come. */
static void m_tell_waiters(int item, int ended, int left)
{
	struct m_queue *syncs = &m_queues[m_items[item].queue].syncs;

	m_items[item].is_flushed = false;
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
			m_items[item].is_flushed = true;
			i++;
		}
	}
}

static enum outcome m_wait(int item, int for_runs, long *result)
{
	m_waits[model.current].item = item;
	m_waits[model.current].left = for_runs;
	model.thread[model.current].saved = *result;
	return m_pend(&m_queues[m_items[item].queue].syncs, K_FOREVER, 0);
}

static enum outcome resume_wait(const struct op *op, long *result)
{
	*result = model.thread[model.current].saved;
	return DONE;
}

static long real_flush(const struct op *op)
{
	struct k_work_sync sync;

	return op->a == 0 ? k_work_flush(&items[op->object].work, &sync)
			  : k_work_flush_delayable(&items[op->object], &sync);
}

static enum outcome model_flush(const struct op *op, long *result)
{
	struct m_work_item *m = &m_items[op->object];

	if (op->a != 0 && m_undelay(op->object)) {
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
	struct m_work_item *m = &m_items[item];

	if (m->is_queued) {
		struct m_work_q *q = &m_queues[m->queue];
		int kept = 0;

		for (int i = 0; i < q->length; i++) {
			if (q->item[i] != item) {
				q->item[kept++] = q->item[i];
			}
		}
		q->length = kept;
		m->is_queued = false;
		if (m->is_flushed) {
			m_tell_waiters(item, 0, m->is_running ? 1 : 0);
		}
	}
	m->is_canceling = m->is_canceling || m->is_running;
}

static long real_cancel(const struct op *op)
{
	return op->a == 0 ? k_work_cancel(&items[op->object].work)
			  : k_work_cancel_delayable(&items[op->object]);
}

static enum outcome model_cancel(const struct op *op, long *result)
{
	if (op->a != 0) {
		(void)m_undelay(op->object);
	}
	m_cancel(op->object);
	*result = m_busy(op->object);
	return DONE;
}

static long real_cancel_sync(const struct op *op)
{
	struct k_work_sync sync;

	return op->a == 0 ? k_work_cancel_sync(&items[op->object].work, &sync)
			  : k_work_cancel_delayable_sync(&items[op->object], &sync);
}

static enum outcome model_cancel_sync(const struct op *op, long *result)
{
	*result = m_busy(op->object) != 0;
	if (op->a != 0) {
		(void)m_undelay(op->object);
	}
	model.thread[model.current].saved = *result;
	model.thread[model.current].phase = m_items[op->object].ended;
	m_cancel(op->object);
	return m_items[op->object].is_running ? BLOCKED : DONE; /* whom it woke may run first */
}

/* Unless that run has ended meanwhile. */
static enum outcome wait_for_cancelled(const struct op *op, long *result)
{
	const struct m_work_item *m = &m_items[op->object];
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
	return k_work_delayable_busy_get(&items[op->object]);
}

static enum outcome model_busy(const struct op *op, long *result)
{
	*result = m_busy(op->object);
	return DONE;
}

/* ---- queues ---- */

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
		if (m_queues[i].started && m_queues[i].thread == id) {
			return &m_queues[i];
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
		m_items[q->runs].is_queued = false;
		m_items[q->runs].is_running = true;
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

static enum outcome begin_handler(struct m_work_q *q)
{
	struct m_work_item *m = &m_items[q->runs];

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
		(void)m_undelay(q->runs);
		q->deed_result = m_delay(SYSTEM, q->runs, K_TICKS(DEED_TICKS));
		break;
	default:
		q->step = RUN_ENDED;
		break;
	}
	return BLOCKED;
}

/* Who was told may run before it yields; both are one step here, for nobody can act between them. */
static enum outcome end_run(struct m_work_q *q)
{
	struct m_work_item *m = &m_items[q->runs];

	q->busy = false;
	q->step = LOOK;
	m->is_running = false;
	m->ended++;
	if (m->is_flushed || m->is_canceling) {
		m->is_canceling = false;
		m_tell_waiters(q->runs, 1, INT_MAX);
	}
	return BLOCKED;
}

static enum outcome serve(const struct op *op, long *result)
{
	struct m_work_q *q = &m_queues[op->object];

	switch (q->step) {
	case HANDLER_BEGINS:
		return begin_handler(q);
	case HANDLER_GOES_ON:
		log_model(model.current, handler_went_on, q->deed_result);
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
	struct m_work_q *q = &m_queues[op->object];

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
	struct m_work_q *q = &m_queues[op->object];

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
	struct m_work_q *q = &m_queues[op->object];

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
	struct m_work_q *q = &m_queues[op->object];
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
	struct m_work_q *q = &m_queues[op->object];

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
	for (int i = 0; i < WORK_ITEMS; i++) {
		k_work_init_delayable(&items[i], handler);
		m_timeouts[WORK_TIMEOUTS + i] = &m_items[i].timeout;
	}
	for (int i = 0; i < ALL_ITEMS; i++) {
		m_items[i].queue = NOBODY;
	}
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
	return (int)(CONTAINER_OF(work, struct k_work_delayable, work) - items);
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
	for (int i = 0; i < WORK_ITEMS; i++) {
		n += snprintf(text + n, size - (size_t)n, "\nitem %d: %x, %lld", i,
			      k_work_delayable_busy_get(&items[i]),
			      (long long)k_work_delayable_remaining_get(&items[i]));
	}
	return n;
}

static int show_model(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < QUEUES; i++) {
		const struct m_work_q *q = &m_queues[i];

		n += snprintf(text + n, size - (size_t)n, "queue %d:", i);
		for (int k = 0; k < q->length; k++) {
			n += snprintf(text + n, size - (size_t)n, " %d", q->item[k]);
		}
		n += show_m_queue(text + n, size - (size_t)n, &q->idle);
		n += show_m_queue(text + n, size - (size_t)n, &q->drainers);
		n += show_m_queue(text + n, size - (size_t)n, &q->syncs);
	}
	for (int i = 0; i < WORK_ITEMS; i++) {
		const struct m_timeout *timeout = &m_items[i].timeout;

		n += snprintf(text + n, size - (size_t)n, "\nitem %d: %x, %lld", i, m_busy(i),
			      (long long)(timeout->armed ? MAX(timeout->when - m_now(), 0) : 0));
	}
	return n;
}

#define THREADS_ONLY CAN_MASK /* not the controller's, where they wait without a time-out */

static const struct op_type types[] = {
	{"work_queue_run", 12, 0, generate_queue, real_run, model_run, serve},
	{"work_submit", 40, CAN_ALL, generate, real_submit, model_submit, NULL},
	{"work_schedule", 20, CAN_ALL, generate, real_schedule, model_schedule, NULL},
	{"work_reschedule", 10, CAN_ALL, generate, real_reschedule, model_reschedule, NULL},
	{"work_remaining", 2, CAN_ALL, generate, real_remaining, model_remaining, NULL},
	{"work_flush", 10, THREADS_ONLY, generate, real_flush, model_flush, resume_wait},
	{"work_cancel", 12, CAN_ALL, generate, real_cancel, model_cancel, NULL},
	{"work_cancel_sync", 10, THREADS_ONLY, generate, real_cancel_sync, model_cancel_sync,
	 wait_for_cancelled},
	{"work_busy_get", 4, CAN_ALL, generate, real_busy, model_busy, NULL},
	{"work_queue_drain", 6, THREADS_ONLY, generate_any_queue, real_drain, model_drain, NULL},
	{"work_queue_unplug", 4, CAN_ALL, generate_any_queue, real_unplug, model_unplug, NULL},
	{"work_queue_stop", 8, THREADS_ONLY, generate_queue, real_stop, model_stop, stop_waits},
};

const struct family family_work = {
	"work", types, ARRAY_SIZE(types), init, show_real, show_model, NULL,
};
