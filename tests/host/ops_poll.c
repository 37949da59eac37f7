/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Polling, by threads and by handlers that do not wait: of signals (ops_poll_signal.c) and of all other families'
 * objects that can be polled, whose own operations say when something is there (m_poll_tell()). Work items that poll
 * are ops_poll_work.c's.
 */
#include "ops_poll.h"

#ifdef CONFIG_POLL

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

int poll_num_events(const struct op *op)
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

long poll_encode(int result, const uint8_t *states)
{
	long code = result == 0 ? 0 : result == -EAGAIN ? 1 : result == -EINTR ? 2 : 3;

	return code | (long)states[0] << 4 | (long)states[1] << 10 | (long)states[2] << 16;
}

void poll_generate(struct op *op)
{
	op->object = (uint8_t)random_below(SIGNALS);
	op->a = (int32_t)random_below(1U << 23);
	op->b = (int32_t)random_below(POLL_QUEUES * POLL_ITEMS);
	if (op->timeout.ticks == K_TICKS_FOREVER && !one_in(4)) {
		op->timeout = K_TICKS(30); /* or soon all wait */
	}
}

/* ---- the kernel's ---- */

void real_poll_fill(const struct op *op, struct k_poll_event *events)
{
	for (int i = 0; i < poll_num_events(op); i++) {
		const struct kind *kind = kind_of(op, i);
		void *object = kind->family == NULL ? NULL : kind->family->real(object_of(op, i));

		k_poll_event_init(&events[i], kind->type, K_POLL_MODE_NOTIFY_ONLY, object);
	}
}

long real_poll_encode(int result, const struct k_poll_event *events, int count)
{
	uint8_t states[EVENTS_MAX] = {0};

	for (int i = 0; i < count; i++) {
		states[i] = events[i].state;
	}
	return poll_encode(result, states);
}

static long real_poll(const struct op *op)
{
	struct k_poll_event events[EVENTS_MAX];
	int result;

	real_poll_fill(op, events);
	result = k_poll(events, poll_num_events(op), op->timeout);
	return real_poll_encode(result, events, poll_num_events(op));
}

/* ---- the model's ---- */

struct m_poller m_pollers[POLLERS];

/* An event at its object. Who was told of another one is passed over. */
static struct registration {
	int poller;
	int event;
	const struct kind *kind;
	int object;
	int prio;
} registrations[POLLERS * EVENTS_MAX]; /* in the order of their coming */
static int num_registrations;

static struct m_queue m_polling;

static void forget(int place)
{
	num_registrations--;
	for (int i = place; i < num_registrations; i++) {
		registrations[i] = registrations[i + 1];
	}
}

void m_poll_forget(int poller)
{
	for (int i = num_registrations - 1; i >= 0; i--) {
		if (registrations[i].poller == poller) {
			forget(i);
		}
	}
}

static int first_of(const struct pollable *family, int object)
{
	int first = NOBODY;

	for (int i = 0; i < num_registrations; i++) {
		const struct registration *r = &registrations[i];

		if (r->kind->family == family && r->object == object &&
		    m_pollers[r->poller].is_polling &&
		    (first == NOBODY || r->prio < registrations[first].prio)) {
			first = i;
		}
	}
	return first;
}

static void tell(const struct pollable *family, int object, bool cancelled)
{
	int first = first_of(family, object);
	struct registration told;
	struct m_poller *poller;

	if (first == NOBODY) {
		return;
	}
	told = registrations[first];
	forget(first);
	poller = &m_pollers[told.poller];
	poller->states[told.event] |= cancelled ? (uint8_t)K_POLL_STATE_CANCELLED
						: told.kind->state;
	poller->is_polling = false;
	poller->result = cancelled ? -EINTR : 0;
	if (told.poller >= THREADS) {
		m_poll_item_is_reported(told.poller - THREADS, poller->result);
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

int m_poll_waiting(const struct pollable *family, int object)
{
	int waiting = 0;

	for (int i = 0; i < num_registrations; i++) {
		waiting += registrations[i].kind->family == family &&
			   registrations[i].object == object &&
			   m_pollers[registrations[i].poller].is_polling;
	}
	return waiting;
}

void m_poll_leave(int id)
{
	m_poll_forget(id);
	m_pollers[id].is_polling = false;
}

/* What it was told of and cannot look for any more the next one is told of. */
void m_poll_thread_ended(int id)
{
	struct m_poller ended = m_pollers[id];

	m_poll_leave(id);
	m_pollers[id].num_events = 0;
	for (int i = 0; i < ended.num_events; i++) {
		const struct kind *kind = ended.events[i].kind;

		if (ended.states[i] != 0 && kind->family->is_there(ended.events[i].object)) {
			tell(kind->family, ended.events[i].object, false);
		}
	}
}

bool m_poll_begin(const struct op *op, int id, int prio)
{
	struct m_poller *poller = &m_pollers[id];

	*poller = (struct m_poller){.is_polling = true, .num_events = poll_num_events(op)};
	for (int i = 0; i < poll_num_events(op); i++) {
		const struct kind *kind = kind_of(op, i);

		poller->events[i].kind = kind;
		poller->events[i].object = object_of(op, i);
		if (kind->family != NULL && kind->family->is_there(object_of(op, i))) {
			poller->states[i] = kind->state;
			poller->is_polling = false;
		}
	}
	for (int i = 0; i < poll_num_events(op) && poller->is_polling; i++) {
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

	if (!m_poll_begin(op, id, model.thread[id].prio)) {
		*result = poll_encode(0, m_pollers[id].states);
		m_pollers[id].num_events = 0;
		return DONE;
	}
	if (op->timeout.ticks == 0) {
		m_poll_leave(id);
		m_pollers[id].num_events = 0;
		*result = poll_encode(-EAGAIN, m_pollers[id].states);
		return DONE;
	}
	return m_pend(&m_polling, op->timeout, -EAGAIN);
}

void m_poll_look(int id)
{
	struct m_poller *poller = &m_pollers[id];

	for (int i = 0; i < poller->num_events; i++) {
		const struct kind *kind = poller->events[i].kind;

		if (kind->family != NULL && kind->family->is_there(poller->events[i].object)) {
			poller->states[i] |= kind->state;
		}
	}
}

/* It may have been told while its time was over. */
static enum outcome resume_poll(const struct op *op, long *result)
{
	struct m_poller *poller = &m_pollers[model.current];

	if (!poller->is_polling && poller->num_events > 1) {
		m_poll_look(model.current);
	}
	*result = poll_encode(poller->is_polling ? -EAGAIN : poller->result, poller->states);
	m_poll_leave(model.current);
	poller->num_events = 0;
	return DONE;
}

/* Nothing is kept but who polls, which the signals show (ops_poll_signal.c). */
static void init(void)
{
}

static int show(char *text, size_t size)
{
	text[0] = '\0';
	return 0;
}

static const struct op_type types[] = {
	{"poll", 60, CAN_ALL, poll_generate, real_poll, model_poll, resume_poll},
};

const struct family family_poll = {
	"poll", types, ARRAY_SIZE(types), init, show, show, NULL,
};

#else

void m_poll_tell(const struct pollable *family, int object)
{
}

void m_poll_cancel(const struct pollable *family, int object)
{
}

int m_poll_waiting(const struct pollable *family, int object)
{
	return 0;
}

void m_poll_thread_ended(int id)
{
}

#endif
