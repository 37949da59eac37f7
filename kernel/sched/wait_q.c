/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wait queues: circular lists in priority order, and in them groups of one priority each, whose first
 * and last know one another (k_thread.peer).
 *
 * A newcomer is compared with the last waiter first, so joining equals costs the same behind one as
 * behind 256. One that outranks waiters passes those a group at a time: at most as many steps as
 * there are priorities, however many wait. Rejected: a walk past each of them, which is as long as
 * others make it, or has to let interrupts in while the newcomer is neither here nor there.
 */
#include "kernel/sched/wait_q.h"

static inline void link(struct k_thread *thread, struct k_thread *before)
{
	struct k_thread *behind = before->next;

	thread->next = behind;
	thread->prev = before;
	behind->prev = thread;
	before->next = thread;
}

/* Of several; the head is right already. */
static void insert_behind(_wait_q_t *wait_q, struct k_thread *before, struct k_thread *thread)
{
	struct k_thread *behind = before->next;
	bool is_first, is_last;

	link(thread, before);
	is_first = wait_q_is_first_of_group(wait_q, thread);
	is_last = wait_q_is_last_of_group(wait_q, thread);
	if (is_first && is_last) {
		thread->peer = thread;
	} else if (is_first || is_last) {
		thread->peer = is_first ? behind->peer : before->peer;
		thread->peer->peer = thread;
	}
}

void wait_q_join(_wait_q_t *wait_q, struct k_thread *thread)
{
	struct k_thread *head = wait_q->head;
	struct k_thread *last = head->prev;

	if (last == head) {
		last->peer = last; /* who was alone has not written it */
	}
	if (!IS_ENABLED(CONFIG_SCHED_DEADLINE) && likely(last->prio == thread->prio)) {
		thread->peer = last->peer;
		thread->peer->peer = thread;
		link(thread, last);
		return;
	}
	/* Bound: the priorities that `thread` outranks, and the deadlines of its own. */
	while (last->prio > thread->prio ||
	       (last->prio == thread->prio && deadline_is_earlier(thread, last))) {
		struct k_thread *first = last->prio > thread->prio ? last->peer : last;

		last = first->prev;
		if (first == head) {
			wait_q->head = thread;
			break;
		}
	}
	insert_behind(wait_q, last, thread);
}

void wait_q_add(_wait_q_t *wait_q, struct k_thread *thread)
{
	wait_q_add_inline(wait_q, thread);
}

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
	/* Bound: the priorities that are more urgent. */
	while (next->prio < thread->prio) {
		next = next->peer->next;
		if (next == head) {
			break; /* behind all */
		}
	}
	if (next == head && head->prio >= thread->prio) {
		wait_q->head = thread;
	}
	insert_behind(wait_q, next->prev, thread);
}
