/* SPDX-License-Identifier: Apache-2.0 */
/* What the model's work items, their delays and their queues know of each other: ops_work*.c. */
#ifndef TESTS_HOST_OPS_WORK_H
#define TESTS_HOST_OPS_WORK_H

#include "model.h"

#define QUEUES     3
#define SYSTEM     0 /* the number of the system's queue */
#define LAST_QUEUE QUEUES /* op.b: none is named */
#define ALL_ITEMS  (WORK_ITEMS + POLL_ITEMS)

#define THREADS_ONLY CAN_MASK /* not the controller's, where they wait without a time-out */

/* Operations on items: op.object; op.b: a queue, or none. */
void work_generate(struct op *op);
struct k_work_q *real_work_queue_of(const struct op *op);
int m_work_queue_of(const struct op *op);

/* ---- items: ops_work.c ---- */
extern struct k_work_delayable real_work_items[WORK_ITEMS];

struct m_work_item {
	bool is_running, is_canceling, is_queued, is_delayed, is_flushed;
	int queue; /* the last; NOBODY: none yet */
	int delayed_for;
	struct m_timeout timeout;
	int runs;
	int ended; /* of its runs */
};
extern struct m_work_item m_work_items[ALL_ITEMS];

/* `ended` of its runs have, or no more than `left` are to come. */
void m_work_tell_waiters(int item, int ended, int left);

/* ---- delays: ops_work_delay.c ---- */
bool m_work_undelay(int item);
long m_work_delay(int queue, int item, k_timeout_t delay);

/* ---- queues: ops_work_queue.c ---- */
enum step { LOOK, HANDLER_BEGINS, HANDLER_GOES_ON, RUN_ENDED };

struct m_work_q {
	bool started, busy, drains, is_plugged, stops, never_yields;
	int thread;
	struct m_queue idle, drainers, syncs;
	int length;
	int item[ALL_ITEMS];
	int runs; /* an item, while `busy` */
	enum step step;
	long deed_result;
};
extern struct m_work_q m_work_queues[QUEUES];

/* The handler of the item that the queue runs: up to its wait, if it has one, and what it says then. */
enum outcome m_work_handler_begins(struct m_work_q *q);
void m_work_handler_goes_on(const struct m_work_q *q);

#endif /* TESTS_HOST_OPS_WORK_H */
