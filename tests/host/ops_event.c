/* SPDX-License-Identifier: Apache-2.0 */
/* Events: op.a are the flags, op.b the mask, or how to wait. */
#include <stdio.h>

#include "model.h"

#define EVENTS 2
#define ALL    1
#define SAFE   2
#define RESET  4

static struct k_event events[EVENTS];
static struct m_event {
	struct m_queue queue;
	uint32_t flags;
} m_events[EVENTS];
static struct {
	uint32_t wanted;
	int how;
} waits[THREADS];

static void init(void)
{
	for (int i = 0; i < EVENTS; i++) {
		k_event_init(&events[i]);
	}
}

static void generate(struct op *op)
{
	op->object = (uint8_t)random_below(EVENTS);
	op->a = (int32_t)random_below(16) | (one_in(8) ? INT32_MIN : 0);
	op->b = (int32_t)random_below(16);
}

static void generate_wait(struct op *op)
{
	generate(op);
	op->b = (int32_t)(random_below(4) | (one_in(6) ? RESET : 0));
}

static uint32_t found_in(uint32_t flags, uint32_t wanted, int how)
{
	uint32_t found = flags & wanted;

	return (how & ALL) != 0 && found != wanted ? 0 : found;
}

static long real_wait(const struct op *op)
{
	typedef uint32_t (*wait_fn)(struct k_event *event, uint32_t flags, bool reset,
				    k_timeout_t timeout);
	static const wait_fn functions[] = {
		k_event_wait,
		k_event_wait_all,
		k_event_wait_safe,
		k_event_wait_all_safe,
	};

	return functions[op->b & (ALL | SAFE)](&events[op->object], (uint32_t)op->a,
					       (op->b & RESET) != 0, op->timeout);
}

static enum outcome model_wait(const struct op *op, long *result)
{
	struct m_event *event = &m_events[op->object];
	uint32_t wanted = (uint32_t)op->a;
	uint32_t found;

	if ((op->b & RESET) != 0) {
		event->flags = 0;
	}
	found = found_in(event->flags, wanted, op->b);
	if (found == 0 && wanted != 0 && op->timeout.ticks != 0) {
		waits[model.current].wanted = wanted;
		waits[model.current].how = op->b;
		return m_pend(&event->queue, op->timeout, 0);
	}
	if ((op->b & SAFE) != 0) {
		event->flags &= ~found;
	}
	*result = found;
	return DONE;
}

/* All waiters are judged by the same flags; what safe ones take goes afterwards. */
static void wake_satisfied(struct m_event *event)
{
	struct m_queue before = event->queue;
	uint32_t taken = 0;

	for (int i = 0; i < before.length; i++) {
		int id = before.thread[i];
		uint32_t found = found_in(event->flags, waits[id].wanted, waits[id].how);

		if (found != 0) {
			taken |= (waits[id].how & SAFE) != 0 ? found : 0;
			m_wake(id, found);
		}
	}
	event->flags &= ~taken;
}

static enum outcome update(const struct op *op, uint32_t mask, long *result)
{
	struct m_event *event = &m_events[op->object];

	*result = event->flags & mask;
	event->flags = (event->flags & ~mask) | ((uint32_t)op->a & mask);
	wake_satisfied(event);
	return DONE;
}

static long real_post(const struct op *op)
{
	return k_event_post(&events[op->object], (uint32_t)op->a);
}

static enum outcome model_post(const struct op *op, long *result)
{
	return update(op, (uint32_t)op->a, result);
}

static long real_set(const struct op *op)
{
	return k_event_set(&events[op->object], (uint32_t)op->a);
}

static enum outcome model_set(const struct op *op, long *result)
{
	return update(op, UINT32_MAX, result);
}

static long real_set_masked(const struct op *op)
{
	return k_event_set_masked(&events[op->object], (uint32_t)op->a, (uint32_t)op->b);
}

static enum outcome model_set_masked(const struct op *op, long *result)
{
	return update(op, (uint32_t)op->b, result);
}

static long real_clear(const struct op *op)
{
	return k_event_clear(&events[op->object], (uint32_t)op->a);
}

static enum outcome model_clear(const struct op *op, long *result)
{
	struct m_event *event = &m_events[op->object];

	*result = event->flags & (uint32_t)op->a;
	event->flags &= ~(uint32_t)op->a;
	return DONE;
}

static long real_test(const struct op *op)
{
	return k_event_test(&events[op->object], (uint32_t)op->a);
}

static enum outcome model_test_flags(const struct op *op, long *result)
{
	*result = m_events[op->object].flags & (uint32_t)op->a;
	return DONE;
}

static int show_real(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < EVENTS; i++) {
		n += snprintf(text + n, size - (size_t)n, "event %d: %x", i, events[i].events);
		n += show_wait_q(text + n, size - (size_t)n, &events[i].wait_q);
	}
	return n;
}

static int show_model(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < EVENTS; i++) {
		n += snprintf(text + n, size - (size_t)n, "event %d: %x", i, m_events[i].flags);
		n += show_m_queue(text + n, size - (size_t)n, &m_events[i].queue);
	}
	return n;
}

static const struct op_type types[] = {
	{"event_wait", 40, CAN_ALL, generate_wait, real_wait, model_wait, NULL},
	{"event_post", 20, CAN_ALL, generate, real_post, model_post, NULL},
	{"event_set", 8, CAN_ALL, generate, real_set, model_set, NULL},
	{"event_set_masked", 8, CAN_ALL, generate, real_set_masked, model_set_masked, NULL},
	{"event_clear", 12, CAN_ALL, generate, real_clear, model_clear, NULL},
	{"event_test", 2, CAN_ALL, generate, real_test, model_test_flags, NULL},
};

const struct family family_event = {
	"event", types, ARRAY_SIZE(types), init, show_real, show_model, NULL,
};
