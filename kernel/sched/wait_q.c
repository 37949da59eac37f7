/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wait queues: circular lists in priority order, and in them groups of one priority each, whose
 * first and last know one another (k_thread.peer).
 *
 * A newcomer is compared with the last waiter first, so joining equals costs the same behind one as
 * behind 256. One that outranks waiters passes groups, from the end that is nearer by priority: at
 * most as many steps as there are half the priorities, however many wait. Rejected: a traversal
 * past each of them, which is as long as others make it, or has to let interrupts in while the
 * newcomer is neither here nor there.
 */
#include "kernel/sched/wait_q.h"

/* In front of `last`, the last of its priority, and of whoever else there has a later deadline. */
static void join_by_deadline(_wait_q_t *wait_q, struct k_thread *last, struct k_thread *thread)
{
	struct k_thread *first = last->peer;
	struct k_thread *next = last;

	/* Bound: W, the waiters of its priority that it goes before. */
	while (next != first && deadline_is_earlier(thread, next->prev)) {
		next = next->prev;
	}
	if (next == first) {
		thread->peer = last;
		last->peer = thread;
		if (wait_q->head == first) {
			wait_q->head = thread;
		}
	}
	wait_q_link_behind(next->prev, thread);
}

void wait_q_join(_wait_q_t *wait_q, struct k_thread *thread)
{
	struct k_thread *head = wait_q->head;
	struct k_thread *last = head->prev;
	const struct k_thread *first = NULL;

	if (last == head) {
		last->peer = last; /* who was alone has not written it */
	}
	if (thread->prio - head->prio < last->prio - thread->prio) {
		/* Bound: P, the priorities up to its own, where those below it are more. */
		for (first = head; first->prio <= thread->prio; first = last->next) {
			last = first->peer;
		}
	} else {
		/* Bound: P, the priorities that `thread` outranks, where the others are more. */
		while (last->prio > thread->prio) {
			first = last->peer;
			last = first->prev;
		}
	}
	thread->peer = thread;
	if (first == head) {
		wait_q->head = thread;
	} else if (last->prio == thread->prio) {
		if (deadline_is_earlier(thread, last)) {
			join_by_deadline(wait_q, last, thread);
			return;
		}
		thread->peer = last->peer;
		thread->peer->peer = thread;
	}
	wait_q_link_behind(last, thread);
}

/* Model: threads.wait_q_add */
void wait_q_add(_wait_q_t *wait_q, struct k_thread *thread)
{
	wait_q_add_inline(wait_q, thread);
}

/* Model: threads.wait_q_remove */
void wait_q_remove(_wait_q_t *wait_q, struct k_thread *thread)
{
	wait_q_remove_inline(wait_q, thread);
}

void wait_q_add_first(_wait_q_t *wait_q, struct k_thread *thread)
{
	struct k_thread *head = wait_q->head;
	struct k_thread *next = head;

	if (head == NULL) {
		wait_q_add(wait_q, thread);
		return;
	}
	if (head->next == head) {
		head->peer = head; /* who was alone has not written it */
	}
	/* Bound: P, the priorities that are more urgent. */
	while (next->prio < thread->prio) {
		next = next->peer->next;
		if (next == head) {
			break; /* behind all */
		}
	}
	thread->peer = thread;
	if (next->prio == thread->prio) {
		thread->peer = next->peer;
		thread->peer->peer = thread;
	}
	if (next == head && head->prio >= thread->prio) {
		wait_q->head = thread;
	}
	wait_q_link_behind(next->prev, thread);
}
