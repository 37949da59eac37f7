/* SPDX-License-Identifier: Apache-2.0 */
/* Wait queues; interrupts masked throughout. include/foliot/wait_q.h says what they are. */
#ifndef FOLIOT_KERNEL_WAIT_Q_H
#define FOLIOT_KERNEL_WAIT_Q_H

#include "kernel/base/kernel.h"
#include "kernel/sched/earlier.h"

/* Behind all who are as urgent, of its deadline, or more; out. */
void wait_q_add(_wait_q_t *wait_q, struct k_thread *thread);
void wait_q_remove(_wait_q_t *wait_q, struct k_thread *thread);
/* Before all who are no more urgent, where it was. */
void wait_q_add_first(_wait_q_t *wait_q, struct k_thread *thread);

/* Where others wait. */
void wait_q_join(_wait_q_t *wait_q, struct k_thread *thread);

/*@ requires \valid(before) && \valid(thread) && \valid(before->next);
  @ requires \separated(thread, before) && \separated(thread, before->next);
  @ assigns thread->next, thread->prev, before->next, before->next->prev;
  @ ensures before->next == thread && thread->prev == before;
  @ ensures thread->next == \old(before->next) && \old(before->next)->prev == thread;
  @*/
static inline void wait_q_link_behind(struct k_thread *before, struct k_thread *thread)
{
	struct k_thread *behind = before->next;

	thread->next = behind;
	thread->prev = before;
	behind->prev = thread;
	before->next = thread;
}

/* Where others wait: behind all of them, which is the usual place. False: it has another. */
static inline bool wait_q_append(const _wait_q_t *wait_q, struct k_thread *thread)
{
	struct k_thread *last = wait_q->head->prev;

	if (last->prio > thread->prio || IS_ENABLED(CONFIG_SCHED_DEADLINE)) {
		return false;
	}
	if (last == wait_q->head) {
		last->peer = last; /* who was alone has not written it */
	}
	thread->peer = thread;
	if (likely(last->prio == thread->prio)) {
		thread->peer = last->peer;
		thread->peer->peer = thread;
	}
	wait_q_link_behind(last, thread);
	return true;
}

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

/*@ requires \valid_read(wait_q) && \valid_read(thread) && \valid_read(thread->prev);
  @ assigns \nothing;
  @ ensures \result <==> wait_q->head == thread || thread->prev->prio != thread->prio;
  @*/
static inline bool wait_q_is_first_of_group(const _wait_q_t *wait_q, const struct k_thread *thread)
{
	return wait_q->head == thread || thread->prev->prio != thread->prio;
}

/*@ requires \valid_read(wait_q) && \valid_read(thread) && \valid_read(thread->next);
  @ assigns \nothing;
  @ ensures \result <==> wait_q->head == thread->next || thread->next->prio != thread->prio;
  @*/
static inline bool wait_q_is_last_of_group(const _wait_q_t *wait_q, const struct k_thread *thread)
{
	return wait_q->head == thread->next || thread->next->prio != thread->prio;
}

/* `heir` is an end of the group from now on, in place of `thread`. */
/*@ requires \valid_read(thread) && \valid(heir) && \valid(thread->peer);
  @ requires \separated(thread, heir);
  @ assigns heir->peer, thread->peer->peer;
  @ ensures heir->peer == (\old(thread->peer) == heir ? heir : \old(thread->peer));
  @ ensures \old(thread->peer)->peer == heir;
  @*/
static inline void wait_q_pass_end(const struct k_thread *thread, struct k_thread *heir)
{
	heir->peer = thread->peer;
	heir->peer->peer = heir;
}

/*@ requires \valid_read(thread) && \valid(thread->prev) && \valid(thread->next);
  @ requires \separated(thread, thread->prev) && \separated(thread, thread->next);
  @ requires thread->prev == thread->next || \separated(thread->prev, thread->next);
  @ assigns thread->prev->next, thread->next->prev;
  @ ensures \old(thread->prev)->next == \old(thread->next);
  @ ensures \old(thread->next)->prev == \old(thread->prev);
  @*/
static inline void wait_q_unlink(const struct k_thread *thread)
{
	thread->prev->next = thread->next;
	thread->next->prev = thread->prev;
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
		wait_q_pass_end(first, next);
	}
	wait_q_unlink(first);
	wait_q->head = next;
}

/* One that is not the first. */
static inline void wait_q_remove_other(const _wait_q_t *wait_q, const struct k_thread *thread)
{
	bool is_first = thread->prev->prio != thread->prio;

	if (is_first != wait_q_is_last_of_group(wait_q, thread)) {
		wait_q_pass_end(thread, is_first ? thread->next : thread->prev);
	}
	wait_q_unlink(thread);
}

static inline void wait_q_remove_inline(_wait_q_t *wait_q, struct k_thread *thread)
{
	if (likely(wait_q->head == thread)) {
		wait_q_remove_first_inline(wait_q, thread);
		return;
	}
	K_ASSERT(thread->next != thread, "not-in-wait-queue");
	wait_q_remove_other(wait_q, thread);
}

/*@ requires \valid_read(wait_q);
  @ assigns \nothing;
  @ ensures \result == wait_q->head;
  @*/
static inline struct k_thread *wait_q_head(const _wait_q_t *wait_q)
{
	return wait_q->head;
}

/* The waiter behind `thread`, or NULL at the end. */
/*@ requires \valid_read(wait_q) && \valid_read(thread);
  @ assigns \nothing;
  @ ensures thread->next == wait_q->head ==> \result == \null;
  @ ensures thread->next != wait_q->head ==> \result == thread->next;
  @*/
static inline struct k_thread *wait_q_next(const _wait_q_t *wait_q, const struct k_thread *thread)
{
	return thread->next == wait_q->head ? NULL : thread->next;
}

#endif /* FOLIOT_KERNEL_WAIT_Q_H */
