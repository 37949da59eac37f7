/* SPDX-License-Identifier: Apache-2.0 */
/* Work items, as their own files see them. Interrupts masked throughout. */
#ifndef FOLIOT_KERNEL_WORK_H
#define FOLIOT_KERNEL_WORK_H

#include "kernel/sched/sched.h"

/* k_work_q.flags. */
#define WORK_QUEUE_STARTED  BIT(0)
#define WORK_QUEUE_BUSY     BIT(1) /* a handler is being called */
#define WORK_QUEUE_DRAIN    BIT(2)
#define WORK_QUEUE_PLUGGED  BIT(3)
#define WORK_QUEUE_STOP     BIT(4)
#define WORK_QUEUE_NO_YIELD BIT(5)

/* k_work.flags above enum k_work_busy: how many of its runs have ended, modulo 2^24. */
#define WORK_RUN       BIT(8)
#define WORK_RUNS_MASK (~(WORK_RUN - 1U))
#define WORK_RUNS_MAX  INT32_C(0x7fffff)

/*
 * k_work_submit_to_queue() up to the wake-up: who comes from it has to wake the head of the queue's
 * `idle`, if there is one and the result is above 0.
 */
int work_put(struct k_work_q *queue, struct k_work *work);

/* What a queue's thread does, until it is stopped. Interrupts open. */
void work_queue_serve(struct k_work_q *queue);

/* k_work_cancel(), k_work_cancel_sync() without its result; both restore key. */
int work_cancel(struct k_work *work, unsigned int key);
void work_cancel_sync(struct k_work *work, unsigned int key);

/* Wait for the end of what is queued of it, or else runs; restores key. */
void work_wait_for_last(struct k_work *work, unsigned int key);

/*
 * The worker's: a run has ended, and somebody may wait for it, or nobody may submit it; restores
 * key.
 */
void work_run_ended(struct k_work *work, unsigned int key);

#endif /* FOLIOT_KERNEL_WORK_H */
