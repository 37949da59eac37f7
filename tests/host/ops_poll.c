/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Polling, by threads, by handlers that do not wait, and by work items; of signals, which are this file's, and of all
 * other families' objects that can be polled, whose own operations say when something is there (m_poll_tell()).
 * op.a: the events, a few bits each; op.b: of a work item, its number and its queue's.
 */
#include <stdio.h>

#include "model.h"

#ifdef CONFIG_POLL

#define SIGNALS    2
#define EVENTS_MAX 3
#define QUEUES     2 /* the first of ops_work.c's */

static struct k_poll_signal signals[SIGNALS];
static struct {
	bool raised;
	int number;
} m_signals[SIGNALS];

static void *real_signal(int object)
{
	return &signals[object];
}

static bool signal_is_there(int object)
{
	return m_signals[object].raised;
}

static const struct pollable pollable_signal = {SIGNALS, real_signal, signal_is_there};

/* What an event is about, and what it says when that has come. */
static const struct kind {
	const struct pollable *family;
	uint8_t type;
	uint8_t state;
} kinds[] = {
	{NULL, K_POLL_TYPE_IGNORE, 0},
	{&pollable_signal, K_POLL_TYPE_SIGNAL, K_POLL_STATE_SIGNALED},
	{&pollable_sem, K_POLL_TYPE_SEM_AVAILABLE, K_POLL_STATE_SEM_AVAILABLE},
	{&pollable_queue, K_POLL_TYPE_DATA_AVAILABLE, K_POLL_STATE_DATA_AVAILABLE},
	{&pollable_msgq, K_POLL_TYPE_MSGQ_DATA_AVAILABLE, K_POLL_STATE_MSGQ_DATA_AVAILABLE},
	{&pollable_pipe, K_POLL_TYPE_PIPE_DATA_AVAILABLE, K_POLL_STATE_PIPE_DATA_AVAILABLE},
};

static int num_events(const struct op *op)
{
	return 1 + op->a % EVENTS_MAX;
}

static const struct kind *kind_of(const struct op *op, int event)
{
	return &kinds[(unsigned int)(op->a >> (2 + 7 * event)) % ARRAY_SIZE(kinds)];
}

static int object_of(const struct op *op, int event)
{
	const struct kind *kind = kind_of(op, event);

	return kind->family == NULL ? 0 : (op->a >> (5 + 7 * event)) % kind->family->objects;
}

static long encode(int result, const uint8_t *states)
{
	long code = result == 0 ? 0 : result == -EAGAIN ? 1 : result == -EINTR ? 2 : 3;

	return code | (long)states[0] << 4 | (long)states[1] << 10 | (long)states[2] << 16;
}

static int item_of(const struct op *op)
{
	return op->b % POLL_ITEMS;
}

static int queue_of(const struct op *op)
{
	return op->b / POLL_ITEMS;
}

static void generate(struct op *op)
{
	op->object = (uint8_t)random_below(SIGNALS);
	op->a = (int32_t)random_below(1U << 23);
	op->b = (int32_t)random_below(QUEUES * POLL_ITEMS);
	if (op->timeout.ticks == K_TICKS_FOREVER && !one_in(4)) {
		op->timeout = K_TICKS(30); /* or soon all wait */
	}
}

/* ---- the kernel's ---- */

struct real_item {
	struct k_work_poll work;
	struct k_poll_event events[2][EVENTS_MAX]; /* the other one while it waits for the one */
	int which;
	int num_events;
};

static struct real_item items[POLL_ITEMS];

static void fill_events(const struct op *op, struct k_poll_event *events)
{
	for (int i = 0; i < num_events(op); i++) {
		const struct kind *kind = kind_of(op, i);
		void *object = kind->family == NULL ? NULL : kind->family->real(object_of(op, i));

		k_poll_event_init(&events[i], kind->type, K_POLL_MODE_NOTIFY_ONLY, object);
	}
}

static long encode_events(int result, const struct k_poll_event *events, int count)
{
	uint8_t states[EVENTS_MAX] = {0};

	for (int i = 0; i < count; i++) {
		states[i] = events[i].state;
	}
	return encode(result, states);
}

static long real_poll(const struct op *op)
{
	struct k_poll_event events[EVENTS_MAX];
	int result;

	fill_events(op, events);
	result = k_poll(events, num_events(op), op->timeout);
	return encode_events(result, events, num_events(op));
}

static long real_raise(const struct op *op)
{
	return k_poll_signal_raise(&signals[op->object], op->a);
}

static long real_reset(const struct op *op)
{
	k_poll_signal_reset(&signals[op->object]);
	return 0;
}

static long real_check(const struct op *op)
{
	unsigned int raised;
	int number;

	k_poll_signal_check(&signals[op->object], &raised, &number);
	return raised != 0 ? number : -1;
}

static const char called[] = "work_poll handler";

static void real_handler(struct k_work *work)
{
	struct k_work_poll *of = CONTAINER_OF(work, struct k_work_poll, work);
	struct real_item *item = CONTAINER_OF(of, struct real_item, work);

	log_real(
		real_self(), called,
		encode_events(item->work.poll_result, item->events[item->which], item->num_events));
}

static long real_submit(const struct op *op)
{
	struct real_item *item = &items[item_of(op)];
	struct k_poll_event *events = item->events[1 - item->which];
	int count_before = item->num_events;
	int result;

	fill_events(op, events);
	item->which = 1 - item->which; /* the handler may run before it returns */
	item->num_events = num_events(op);
	result = k_work_poll_submit_to_queue(real_work_queues[queue_of(op)], &item->work, events,
					     num_events(op), op->timeout);
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

/* ---- the model's ---- */

#define POLLERS (THREADS + POLL_ITEMS)

struct m_poller {
	bool is_polling; /* told of nothing yet */
	int result;
	int num_events;
	uint8_t states[EVENTS_MAX];
	struct {
		const struct kind *kind;
		int object;
	} events[EVENTS_MAX];
};

static struct m_poller pollers[POLLERS];

/* An event at its object. Who was told of another one stays there until it runs, and is passed over. */
static struct registration {
	int poller;
	int event;
	const struct kind *kind;
	int object;
	int prio;
} registrations[POLLERS * EVENTS_MAX]; /* in the order of their coming */
static int num_registrations;

static struct m_item {
	int queue; /* NOBODY: it neither waits nor is to be called */
	struct m_timeout timeout;
} m_items[POLL_ITEMS];
static struct m_queue m_polling;

static void forget(int place)
{
	num_registrations--;
	for (int i = place; i < num_registrations; i++) {
		registrations[i] = registrations[i + 1];
	}
}

static void forget_all(int poller)
{
	for (int i = num_registrations - 1; i >= 0; i--) {
		if (registrations[i].poller == poller) {
			forget(i);
		}
	}
}

static void item_is_told(int item, int result)
{
	struct m_item *m = &m_items[item];

	forget_all(THREADS + item);
	m->timeout.armed = false;
	pollers[THREADS + item].result = result;
	if (m_work_put(m->queue, WORK_ITEMS + item) <= 0) {
		m->queue = NOBODY;
	}
}

static int first_of(const struct pollable *family, int object)
{
	int first = NOBODY;

	for (int i = 0; i < num_registrations; i++) {
		const struct registration *r = &registrations[i];

		if (r->kind->family == family && r->object == object &&
		    pollers[r->poller].is_polling &&
		    (first == NOBODY || r->prio < registrations[first].prio)) {
			first = i;
		}
	}
	return first;
}

/* Those in front of it, told of another one, are passed for good. */
static int pass_told(const struct pollable *family, int object, int first)
{
	for (int i = num_registrations - 1; i >= 0; i--) {
		const struct registration *r = &registrations[i];
		bool in_front = first == NOBODY || r->prio < registrations[first].prio ||
				(r->prio == registrations[first].prio && i < first);

		if (r->kind->family == family && r->object == object && in_front) {
			forget(i);
			first -= i < first;
		}
	}
	return first;
}

static void tell(const struct pollable *family, int object, bool cancelled)
{
	int first = pass_told(family, object, first_of(family, object));
	struct registration told;
	struct m_poller *poller;

	if (first == NOBODY) {
		return;
	}
	told = registrations[first];
	forget(first);
	poller = &pollers[told.poller];
	poller->states[told.event] |= cancelled ? (uint8_t)K_POLL_STATE_CANCELLED
						: told.kind->state;
	poller->is_polling = false;
	poller->result = cancelled ? -EINTR : 0;
	if (told.poller >= THREADS) {
		item_is_told(told.poller - THREADS, poller->result);
	} else if (model.thread[told.poller].queue == &m_polling) {
		m_wake(told.poller, 0);
	}
}

void m_poll_tell(const struct pollable *family, int object)
{
	tell(family, object, false);
}

void m_poll_cancel(const struct pollable *family, int object)
{
	tell(family, object, true);
}

bool m_poll_is_polled(const struct pollable *family, int object)
{
	for (int i = 0; i < num_registrations; i++) {
		if (registrations[i].kind->family == family && registrations[i].object == object) {
			return true;
		}
	}
	return false;
}

static void leave(int id)
{
	forget_all(id);
	pollers[id].is_polling = false;
}

/* What it was told of and cannot look for any more the next one is told of. */
void m_poll_thread_ended(int id)
{
	struct m_poller ended = pollers[id];

	leave(id);
	pollers[id].num_events = 0;
	for (int i = 0; i < ended.num_events; i++) {
		const struct kind *kind = ended.events[i].kind;

		if (ended.states[i] != 0 && kind->family->is_there(ended.events[i].object)) {
			tell(kind->family, ended.events[i].object, false);
		}
	}
}

/* Look, and where nothing is there register. Returns whether nothing was. */
static bool begin(const struct op *op, int id, int prio)
{
	struct m_poller *poller = &pollers[id];

	*poller = (struct m_poller){.is_polling = true, .num_events = num_events(op)};
	for (int i = 0; i < num_events(op); i++) {
		const struct kind *kind = kind_of(op, i);

		poller->events[i].kind = kind;
		poller->events[i].object = object_of(op, i);
		if (kind->family != NULL && kind->family->is_there(object_of(op, i))) {
			poller->states[i] = kind->state;
			poller->is_polling = false;
		}
	}
	for (int i = 0; i < num_events(op) && poller->is_polling; i++) {
		if (kind_of(op, i)->family != NULL) {
			registrations[num_registrations++] = (struct registration){
				id, i, kind_of(op, i), object_of(op, i), prio};
		}
	}
	return poller->is_polling;
}

static enum outcome model_poll(const struct op *op, long *result)
{
	/* A handler has the place of the thread that it interrupts, which polls nothing at that time. */
	int id = model.current;

	if (!begin(op, id, model.thread[id].prio)) {
		*result = encode(0, pollers[id].states);
		pollers[id].num_events = 0;
		return DONE;
	}
	if (op->timeout.ticks == 0) {
		leave(id);
		pollers[id].num_events = 0;
		*result = encode(-EAGAIN, pollers[id].states);
		return DONE;
	}
	return m_pend(&m_polling, op->timeout, -EAGAIN);
}

/* It may have been told while its time was over. */
static enum outcome resume_poll(const struct op *op, long *result)
{
	struct m_poller *poller = &pollers[model.current];

	*result = encode(poller->is_polling ? -EAGAIN : poller->result, poller->states);
	leave(model.current);
	poller->num_events = 0;
	return DONE;
}

static enum outcome model_raise(const struct op *op, long *result)
{
	m_signals[op->object].raised = true;
	m_signals[op->object].number = op->a;
	m_poll_tell(&pollable_signal, op->object);
	*result = 0;
	return DONE;
}

static enum outcome model_reset(const struct op *op, long *result)
{
	m_signals[op->object].raised = false;
	*result = 0;
	return DONE;
}

static enum outcome model_check(const struct op *op, long *result)
{
	*result = m_signals[op->object].raised ? m_signals[op->object].number : -1;
	return DONE;
}

/* ---- work items that poll ---- */

static void take_back(int item)
{
	leave(THREADS + item);
	m_items[item].timeout.armed = false;
	m_items[item].queue = NOBODY;
}

static void time_is_over(int item)
{
	pollers[THREADS + item].is_polling = false;
	item_is_told(item, -EAGAIN);
}

/* With a result of work_put(), of which the caller hears what was refused. */
static int submit_now(int item, int result)
{
	struct m_item *m = &m_items[item];
	int put;

	leave(THREADS + item);
	pollers[THREADS + item].result = result;
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
	if (m->queue != NOBODY && !pollers[THREADS + item_of(op)].is_polling) {
		*result = -EINVAL;
		return DONE;
	}
	if (m->queue != NOBODY) {
		take_back(item_of(op));
	}
	m->queue = queue_of(op);
	if (!begin(op, THREADS + item_of(op), K_LOWEST_APPLICATION_THREAD_PRIO)) {
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
	if (m_items[item_of(op)].queue != NOBODY && pollers[THREADS + item_of(op)].is_polling) {
		take_back(item_of(op));
		*result = 0;
	}
	return DONE;
}

void m_poll_item_begins(int item)
{
	m_items[item].queue = NOBODY;
	log_model(model.current, called,
		  encode(pollers[THREADS + item].result, pollers[THREADS + item].states));
}

struct k_work *real_poll_item(int item)
{
	return &items[item].work.work;
}

/* ---- state ---- */

static void init(void)
{
	for (int i = 0; i < SIGNALS; i++) {
		k_poll_signal_init(&signals[i]);
	}
	for (int i = 0; i < POLL_ITEMS; i++) {
		k_work_poll_init(&items[i].work, real_handler);
		m_items[i].queue = NOBODY;
		m_timeouts[POLL_TIMEOUTS + i] = &m_items[i].timeout;
	}
}

static int show_real(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < SIGNALS; i++) {
		int polled = 0;

		for (const struct k_poll_event *e = signals[i].pollers; e != NULL; e = e->next) {
			polled += e->poller->is_polling;
		}
		n += snprintf(text + n, size - (size_t)n, "signal %d: %u, %d of %d; ", i,
			      signals[i].signaled, signals[i].result, polled);
	}
	for (int i = 0; i < POLL_ITEMS; i++) {
		n += snprintf(text + n, size - (size_t)n, "item %d: in use %d, armed %d; ", i,
			      items[i].work.queue != NULL, items[i].work.is_armed);
	}
	return n;
}

static int show_model(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < SIGNALS; i++) {
		int polled = 0;

		for (int k = 0; k < num_registrations; k++) {
			polled += registrations[k].kind->family == &pollable_signal &&
				  registrations[k].object == i &&
				  pollers[registrations[k].poller].is_polling;
		}
		n += snprintf(text + n, size - (size_t)n, "signal %d: %u, %d of %d; ", i,
			      m_signals[i].raised, m_signals[i].number, polled);
	}
	for (int i = 0; i < POLL_ITEMS; i++) {
		n += snprintf(text + n, size - (size_t)n, "item %d: in use %d, armed %d; ", i,
			      m_items[i].queue != NOBODY, m_items[i].timeout.armed);
	}
	return n;
}

static const struct op_type types[] = {
	{"poll", 60, CAN_ALL, generate, real_poll, model_poll, resume_poll},
	{"poll_signal_raise", 20, CAN_ALL, generate, real_raise, model_raise, NULL},
	{"poll_signal_reset", 15, CAN_ALL, generate, real_reset, model_reset, NULL},
	{"poll_signal_check", 2, CAN_ALL, generate, real_check, model_check, NULL},
	{"work_poll_submit", 25, CAN_ALL, generate, real_submit, model_submit, NULL},
	{"work_poll_cancel", 6, CAN_ALL, generate, real_cancel, model_cancel, NULL},
};

const struct family family_poll = {
	"poll", types, ARRAY_SIZE(types), init, show_real, show_model, NULL,
};

#else

void m_poll_tell(const struct pollable *family, int object)
{
}

void m_poll_cancel(const struct pollable *family, int object)
{
}

bool m_poll_is_polled(const struct pollable *family, int object)
{
	return false;
}

void m_poll_thread_ended(int id)
{
}

void m_poll_item_begins(int item)
{
}

struct k_work *real_poll_item(int item)
{
	return NULL;
}

#endif
