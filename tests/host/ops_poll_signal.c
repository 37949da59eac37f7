/* SPDX-License-Identifier: Apache-2.0 */
/* Signals, which are there to be polled. */
#include <stdio.h>

#include "ops_poll.h"

#ifdef CONFIG_POLL

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

const struct pollable pollable_signal = {SIGNALS, real_signal, signal_is_there};

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

/* ---- state ---- */

static void init(void)
{
	for (int i = 0; i < SIGNALS; i++) {
		k_poll_signal_init(&signals[i]);
	}
}

static int show_real(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < SIGNALS; i++) {
		const struct k_poll_event *e = signals[i].pollers;
		int polled = 0;

		while (e != NULL) { /* Bound: those who poll it. */
			polled += e->poller->is_polling;
			e = e->next == signals[i].pollers ? NULL : e->next;
		}
		n += snprintf(text + n, size - (size_t)n, "signal %d: %u, %d of %d; ", i,
			      signals[i].signaled, signals[i].result, polled);
	}
	return n;
}

static int show_model(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < SIGNALS; i++) {
		n += snprintf(text + n, size - (size_t)n, "signal %d: %u, %d of %d; ", i,
			      m_signals[i].raised, m_signals[i].number,
			      m_poll_waiting(&pollable_signal, i));
	}
	return n;
}

static const struct op_type types[] = {
	{"poll_signal_raise", 20, CAN_ALL, poll_generate, real_raise, model_raise, NULL},
	{"poll_signal_reset", 15, CAN_ALL, poll_generate, real_reset, model_reset, NULL},
	{"poll_signal_check", 2, CAN_ALL, poll_generate, real_check, model_check, NULL},
};

const struct family family_poll_signal = {
	"poll", types, ARRAY_SIZE(types), init, show_real, show_model, NULL,
};

#endif
