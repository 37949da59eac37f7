/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wait queues: circular lists in priority order.
 *
 * A newcomer is compared with the last waiter first, so joining equals costs the same
 * behind one as behind 256. Only one that outranks waiters walks past those.
 */
#include "kernel/sched/wait_q.h"

void wait_q_add(_wait_q_t *wait_q, struct k_thread *thread)
{
	struct k_thread *head = wait_q->head;
	struct k_thread *before;

	if (head == NULL) {
		wait_q->head = thread;
		thread->next = thread;
		thread->prev = thread;
		return;
	}
	before = head->prev;
	/* Bound: the waiters that `thread` outranks. */
	while (before->prio > thread->prio) {
		if (before == head) {
			wait_q->head = thread;
			before = head->prev;
			break;
		}
		before = before->prev;
	}
	thread->next = before->next;
	thread->prev = before;
	before->next->prev = thread;
	before->next = thread;
}

void wait_q_remove(_wait_q_t *wait_q, struct k_thread *thread)
{
	wait_q_remove_inline(wait_q, thread);
}
