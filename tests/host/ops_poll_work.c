/* SPDX-License-Identifier: Apache-2.0 */
/* Work items that poll: they are submitted when something is there, when their time is over, or at once. */
#include <stdio.h>

#include "ops_poll.h"

#ifdef CONFIG_POLL

static int item_of(const struct op *op)
{
	return op->b % POLL_ITEMS;
}

static int queue_of(const struct op *op)
{
	return op->b / POLL_ITEMS;
}

struct real_item {
	struct k_work_poll work;
	struct k_poll_event events[2][EVENTS_MAX]; /* the other one while it waits for the one */
	int which;
	int num_events;
};

static struct real_item items[POLL_ITEMS];

static const char called[] = "work_poll handler";

static void real_handler(struct k_work *work)
{
	struct k_work_poll *of = CONTAINER_OF(work, struct k_work_poll, work);
	struct real_item *item = CONTAINER_OF(of, struct real_item, work);

	log_real(real_self(), called,
		 real_poll_encode(item->work.poll_result, item->events[item->which],
				  item->num_events));
}

static long real_submit(const struct op *op)
{
	struct real_item *item = &items[item_of(op)];
	struct k_poll_event *events = item->events[1 - item->which];
	int count_before = item->num_events;
	int result;

	real_poll_fill(op, events);
	item->which = 1 - item->which; /* the handler may run before it returns */
	item->num_events = poll_num_events(op);
	result = k_work_poll_submit_to_queue(real_work_queues[queue_of(op)], &item->work, events,
					     poll_num_events(op), op->timeout);
	if (result == -EINVAL || result == -EADDRINUSE) {
		item->which = 1 - item->which;
		item->num_events = count_before;
	}
	return result;
}

static long real_cancel(const struct op *op)
{
	return k_work_poll_cancel(&items[item_of(op)].work);
}

static struct m_item {
	int queue; /* NOBODY: it neither waits nor is to be called */
	struct m_timeout timeout;
} m_items[POLL_ITEMS];

void m_poll_item_is_reported(int item, int result)
{
	struct m_item *m = &m_items[item];

	m_poll_forget(THREADS + item);
	m->timeout.armed = false;
	m_pollers[THREADS + item].result = result;
	if (m_work_put(m->queue, WORK_ITEMS + item) <= 0) {
		m->queue = NOBODY;
	}
}

static void take_back(int item)
{
	m_poll_leave(THREADS + item);
	m_items[item].timeout.armed = false;
	m_items[item].queue = NOBODY;
}

static void time_is_over(int item)
{
	m_pollers[THREADS + item].is_polling = false;
	m_poll_item_is_reported(item, -EAGAIN);
}

/* With a result of work_put(), of which the caller hears what was refused. */
static int submit_now(int item, int result)
{
	struct m_item *m = &m_items[item];
	int put;

	m_poll_leave(THREADS + item);
	m_pollers[THREADS + item].result = result;
	put = m_work_put(m->queue, WORK_ITEMS + item);
	if (put <= 0) {
		m->queue = NOBODY;
	}
	return MIN(put, 0);
}

static enum outcome model_submit(const struct op *op, long *result)
{
	struct m_item *m = &m_items[item_of(op)];

	*result = 0;
	if (m->queue != NOBODY && m->queue != queue_of(op)) {
		*result = -EADDRINUSE;
		return DONE;
	}
	if (m->queue != NOBODY && !m_pollers[THREADS + item_of(op)].is_polling) {
		*result = -EINVAL;
		return DONE;
	}
	if (m->queue != NOBODY) {
		take_back(item_of(op));
	}
	m->queue = queue_of(op);
	if (!m_poll_begin(op, THREADS + item_of(op), K_LOWEST_APPLICATION_THREAD_PRIO)) {
		*result = submit_now(item_of(op), 0);
	} else if (op->timeout.ticks == 0) {
		*result = submit_now(item_of(op), -EAGAIN);
	} else if (op->timeout.ticks != K_TICKS_FOREVER) {
		m_arm(&m->timeout, m_deadline(op->timeout), time_is_over, item_of(op));
	}
	return DONE;
}

static enum outcome model_cancel(const struct op *op, long *result)
{
	*result = -EINVAL;
	if (m_items[item_of(op)].queue != NOBODY && m_pollers[THREADS + item_of(op)].is_polling) {
		take_back(item_of(op));
		*result = 0;
	}
	return DONE;
}

void m_poll_item_begins(int item)
{
	if (m_pollers[THREADS + item].result != -EAGAIN) {
		m_poll_look(THREADS + item);
	}
	m_items[item].queue = NOBODY;
	log_model(model.current, called,
		  poll_encode(m_pollers[THREADS + item].result, m_pollers[THREADS + item].states));
}

struct k_work *real_poll_item(int item)
{
	return &items[item].work.work;
}

/* ---- state ---- */

static void init(void)
{
	for (int i = 0; i < POLL_ITEMS; i++) {
		k_work_poll_init(&items[i].work, real_handler);
		m_items[i].queue = NOBODY;
		m_timeouts[POLL_TIMEOUTS + i] = &m_items[i].timeout;
	}
}

static int show_real(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < POLL_ITEMS; i++) {
		n += snprintf(text + n, size - (size_t)n, "item %d: in use %d, armed %d; ", i,
			      items[i].work.queue != NULL, items[i].work.is_armed);
	}
	return n;
}

static int show_model(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < POLL_ITEMS; i++) {
		n += snprintf(text + n, size - (size_t)n, "item %d: in use %d, armed %d; ", i,
			      m_items[i].queue != NOBODY, m_items[i].timeout.armed);
	}
	return n;
}

static const struct op_type types[] = {
	{"work_poll_submit", 25, CAN_ALL, poll_generate, real_submit, model_submit, NULL},
	{"work_poll_cancel", 6, CAN_ALL, poll_generate, real_cancel, model_cancel, NULL},
};

const struct family family_poll_work = {
	"poll", types, ARRAY_SIZE(types), init, show_real, show_model, NULL,
};

#else

void m_poll_item_begins(int item)
{
}

struct k_work *real_poll_item(int item)
{
	return NULL;
}

#endif
