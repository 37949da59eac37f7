/* SPDX-License-Identifier: Apache-2.0 */
/* What polling, its signals and the work items that poll know of each other: ops_poll*.c. */
#ifndef TESTS_HOST_OPS_POLL_H
#define TESTS_HOST_OPS_POLL_H

#include "model.h"

struct k_poll_event; /* without the option there is none */
struct kind;         /* of an event: ops_poll.c */

#define SIGNALS     2
#define EVENTS_MAX  3
#define POLL_QUEUES 2 /* the first of ops_work_queue.c's */

extern const struct pollable pollable_signal;

/* op.a: the events, a few bits each; op.b: of a work item, its number and its queue's. */
void poll_generate(struct op *op);
int poll_num_events(const struct op *op);
/* A result and the events' states in a word. */
long poll_encode(int result, const uint8_t *states);

/* ---- the kernel's ---- */
void real_poll_fill(const struct op *op, struct k_poll_event *events);
long real_poll_encode(int result, const struct k_poll_event *events, int count);

/* ---- the model's: threads, and behind them work items ---- */
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

extern struct m_poller m_pollers[POLLERS];

/* Look, and where nothing is there register. Returns whether nothing was. */
bool m_poll_begin(const struct op *op, int id, int prio);
void m_poll_leave(int id);
/* It was told, and goes on: it reports whatever is there by now. */
void m_poll_look(int id);
/* None of its events is registered any more. */
void m_poll_forget(int poller);
void m_poll_item_is_reported(int item, int result);

#endif /* TESTS_HOST_OPS_POLL_H */
