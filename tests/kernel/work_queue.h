/* SPDX-License-Identifier: Apache-2.0 */
/* A work queue to be tested, and handlers for it. */
#ifndef TESTS_KERNEL_WORK_QUEUE_H
#define TESTS_KERNEL_WORK_QUEUE_H

#include "test.h"

extern struct k_work_q work_queue;
extern struct k_sem work_may_go_on;

/* Start it, and stop it again, whatever it does. */
void work_queue_begin(int prio);
void work_queue_end(void);

/* Handlers: "w"; "(" and, when work_may_go_on is given, ")". */
void work_note_w(struct k_work *work);
void work_wait_then_note(struct k_work *work);

#endif /* TESTS_KERNEL_WORK_QUEUE_H */
