/* SPDX-License-Identifier: Apache-2.0 */
/* Wait queues; interrupts masked throughout. include/foliot/wait_q.h says what they are. */
#ifndef FOLIOT_KERNEL_WAIT_Q_H
#define FOLIOT_KERNEL_WAIT_Q_H

#include "kernel/core/kernel.h"
#include "kernel/sched/earlier.h"

/* Behind all who are as urgent, of its deadline, or more; out. */
void wait_q_add(_wait_q_t *wait_q, struct k_thread *thread);
void wait_q_remove(_wait_q_t *wait_q, struct k_thread *thread);

static inline void wait_q_add_inline(_wait_q_t *wait_q, struct k_thread *thread)
{
	struct k_thread *head = wait_q->head;
	struct k_thread *last;

	if (head == NULL) {
		wait_q->head = thread;
		thread->next = thread;
		thread->prev = thread;
		return;
	}
	last = head->prev;
	/* Bound: the waiters that `thread` outranks. */
	while (last->prio > thread->prio ||
	       (last->prio == thread->prio && deadline_is_earlier(thread, last))) {
		if (last == head) {
			wait_q->head = thread;
			last = head->prev;
			break;
		}
		last = last->prev;
	}
	thread->next = last->next;
	thread->prev = last;
	last->next->prev = thread;
	last->next = thread;
}

/* Before all who are no more urgent, where it was. */
static inline void wait_q_add_first(_wait_q_t *wait_q, struct k_thread *thread)
{
	struct k_thread *next = wait_q->head;

	if (next == NULL) {
		wait_q_add(wait_q, thread);
		return;
	}
	/* Bound: who is more urgent, and has come since. */
	while (next->prio < thread->prio && next->next != wait_q->head) {
		next = next->next;
	}
	if (next->prio < thread->prio) {
		next = wait_q->head; /* behind all */
	} else if (next == wait_q->head) {
		wait_q->head = thread;
	}
	thread->next = next;
	thread->prev = next->prev;
	next->prev->next = thread;
	next->prev = thread;
}

static inline void wait_q_remove_inline(_wait_q_t *wait_q, struct k_thread *thread)
{
	struct k_thread *next = thread->next;

	if (next == thread) {
		K_ASSERT(wait_q->head == thread, "not-in-wait-queue");
		wait_q->head = NULL;
		return;
	}
	thread->prev->next = next;
	next->prev = thread->prev;
	if (wait_q->head == thread) {
		wait_q->head = next;
	}
}

static inline struct k_thread *wait_q_head(const _wait_q_t *wait_q)
{
	return wait_q->head;
}

/* The waiter behind `thread`, or NULL at the end. */
static inline struct k_thread *wait_q_next(const _wait_q_t *wait_q, const struct k_thread *thread)
{
	return thread->next == wait_q->head ? NULL : thread->next;
}

#endif /* FOLIOT_KERNEL_WAIT_Q_H */
