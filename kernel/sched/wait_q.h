/* SPDX-License-Identifier: Apache-2.0 */
/* Wait queues; interrupts masked throughout. include/foliot/wait_q.h says what they are. */
#ifndef FOLIOT_KERNEL_WAIT_Q_H
#define FOLIOT_KERNEL_WAIT_Q_H

#include "kernel/core/kernel.h"
#include "kernel/sched/earlier.h"

/* Behind all who are as urgent, of its deadline, or more; out. */
void wait_q_add(_wait_q_t *wait_q, struct k_thread *thread);
void wait_q_remove(_wait_q_t *wait_q, struct k_thread *thread);
/* Before all who are no more urgent, where it was. */
void wait_q_add_first(_wait_q_t *wait_q, struct k_thread *thread);

/* Where others wait. */
void wait_q_join(_wait_q_t *wait_q, struct k_thread *thread);

static inline void wait_q_add_inline(_wait_q_t *wait_q, struct k_thread *thread)
{
	if (wait_q->head == NULL) {
		wait_q->head = thread;
		thread->next = thread;
		thread->prev = thread;
		return;
	}
	wait_q_join(wait_q, thread);
}

static inline bool wait_q_is_first_of_group(const _wait_q_t *wait_q, const struct k_thread *thread)
{
	return wait_q->head == thread || thread->prev->prio != thread->prio;
}

static inline bool wait_q_is_last_of_group(const _wait_q_t *wait_q, const struct k_thread *thread)
{
	return wait_q->head == thread->next || thread->next->prio != thread->prio;
}

static inline void wait_q_remove_inline(_wait_q_t *wait_q, struct k_thread *thread)
{
	struct k_thread *next = thread->next;
	bool is_first, is_last;

	if (next == thread) {
		K_ASSERT(wait_q->head == thread, "not-in-wait-queue");
		wait_q->head = NULL;
		return;
	}
	is_first = wait_q_is_first_of_group(wait_q, thread);
	is_last = wait_q_is_last_of_group(wait_q, thread);
	if (is_first != is_last) { /* another is an end of the group from now on */
		struct k_thread *heir = is_first ? next : thread->prev;

		heir->peer = thread->peer;
		heir->peer->peer = heir;
	}
	thread->prev->next = next;
	next->prev = thread->prev;
	if (wait_q->head == thread) {
		wait_q->head = next;
	}
}

/* The first waiter, who is there. */
static inline void wait_q_remove_first_inline(_wait_q_t *wait_q, struct k_thread *first)
{
	struct k_thread *next = first->next;

	if (next == first) {
		wait_q->head = NULL;
		return;
	}
	if (next->prio == first->prio) {
		next->peer = first->peer;
		next->peer->peer = next;
	}
	first->prev->next = next;
	next->prev = first->prev;
	wait_q->head = next;
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
