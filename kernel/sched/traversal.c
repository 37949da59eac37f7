/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work in steps: traversals of wait queues, and whatever else takes as long as others make it.
 * sched.h says what a step is, and who runs between two of them.
 *
 * Whom a traversal stands on is marked, and whatever takes a thread out of its queue takes the mark
 * away; moves are counted, for a waiter may get in front of where the traversal stands. After
 * either the walk begins anew. Rejected: beginning anew after each window, which takes twice as
 * long for each that has come; and a count of all of a queue's changes, which each wake-up would
 * pay for.
 *
 * The traversing thread has the ceiling for its priority, so nobody whom it has woken goes first,
 * and who joins its queue meanwhile comes from above: in front of all who were there, and known by
 * that. Between steps it is preempted like any thread, so whoever is more urgent waits for a step
 * and no more. Rejected: a number in each waiter of when it joined, which each wait would pay for;
 * leaving what is left to those who were woken, since a call that returned may have left half of
 * them; and a lock of the scheduler with a look after each step at who is ready, which is later by
 * the way into the traversal and out of it.
 */
#include "kernel/hooks/generation.h"
#include "kernel/hooks/inherit.h"
#include "kernel/hooks/poll.h"
#include "kernel/hooks/thread_ipc.h"
#include "kernel/hooks/user.h"
#include "kernel/sched/join.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/thread_bury.h"
#include "kernel/time/timeout.h"

CALLS_DIRECTLY(k_thread_abort);

/*
 * ---- with a ceiling: both priorities are in a word that is free while a thread does not wait ----
 */

/*
 * As sched_set_prio() of the running thread, but it is queued then, as the first: whoever comes in
 * a window finds it as any thread that is preempted, and need not queue it.
 */
static void move(struct k_thread *current, int prio)
{
	slice_moves(current, prio);
	if ((current->state & K_THREAD_QUEUED) != 0) {
		ready_remove_inline(current);
	}
	/* The usual, which is a short step. A meta-IRQ's says nothing of whether it is locked. */
	if (likely(!IS_ENABLED(CONFIG_METAIRQ) && current->threshold == current->prio &&
		   prio >= 0)) {
		current->threshold = (int8_t)prio;
	}
	current->prio = (int8_t)prio;
	if (unlikely(current->threshold != prio && current->threshold != THRESHOLD_ALWAYS)) {
		sched_set_threshold(current);
	}
	if (likely(current->state == 0)) {
		ready_add_first_inline(current);
	}
	slice_moved(current);
}

/* Its deadline counts no longer, or again (deadline.c): its place in its level is another one. */
static inline void deadline_counts(struct k_thread *current)
{
	if (IS_ENABLED(CONFIG_SCHED_DEADLINE) && (current->state & K_THREAD_QUEUED) != 0) {
		ready_remove(current);
		ready_add_first(current);
	}
}

/*
 * From here on it is a traversal with a ceiling, which is the caller's own priority so far. What it
 * inherits is not in it, and may end before the traversal does.
 */
static inline void begin_at_own_prio(struct k_thread *current)
{
	if ((current->wait_flags & TRAVERSAL_FLAG_CEILING) == 0) {
		current->wait_flags = TRAVERSAL_FLAG_CEILING;
		current->wake_data = (uintptr_t)(uint8_t)current->base_prio << 8 |
				     (uint8_t)current->base_prio;
		deadline_counts(current);
	}
}

static __noinline void raise_to(const struct k_thread *first, struct k_thread *current)
{
	if (first != NULL && first->prio < sched_traversal_prio(current)) {
		current->wake_data = (current->wake_data & 0xff00U) | (uint8_t)first->prio;
		current->base_prio = MIN(current->base_prio, first->prio);
		if (first->prio < current->prio) {
			move(current, first->prio);
		}
	}
}

void sched_traversal_ceiling(const _wait_q_t *wait_q, unsigned int key)
{
	struct k_thread *current = k_cpu.current;

	if (arch_may_switch(key)) {
		begin_at_own_prio(current);
		raise_to(wait_q->head, current);
	}
}

__noinline void sched_traversal_finishes(bool finishes, unsigned int key)
{
	struct k_thread *current = k_cpu.current;

	if (!arch_may_switch(key)) {
		return;
	}
	if (finishes) {
		begin_at_own_prio(current);
		(void)generation_of(current); /* so its end is told of that */
		current->wait_flags |= TRAVERSAL_FLAG_FINISHES;
	} else {
		current->wait_flags &= (uint8_t)~TRAVERSAL_FLAG_FINISHES;
	}
}

void sched_traversal_waking(const _wait_q_t *wait_q, unsigned int key)
{
	uint32_t moves;

	sched_traversal_finishes(true, key);
	sched_traversal_window(key); /* that was a step */
	if (arch_may_switch(key)) {
		raise_to(wait_q->head, k_cpu.current);
	}
	moves = sched_moves;
	sched_traversal_window(key);
	/* Bound: D, as others ran. */
	if (unlikely(*(volatile uint32_t *)&sched_moves != moves)) {
		sched_traversal_ceiling(wait_q, key);
	}
}

static inline int prio_behind(const struct k_thread *current)
{
	return current->contended != NULL ? inherit_effective_prio(current) : current->base_prio;
}

static void leave_ceiling(struct k_thread *current)
{
	current->base_prio = sched_traversal_own_prio(current);
	if (current->prio != current->base_prio) {
		move(current, prio_behind(current));
	}
}

void sched_traversal_leave(unsigned int key)
{
	struct k_thread *current = k_cpu.current;
	const unsigned int flags = current->wait_flags;

	if (!arch_may_switch(key)) {
		return;
	}
	if ((current->state & K_THREAD_QUEUED) != 0) {
		ready_remove(current);
	}
	current->base_prio = sched_traversal_own_prio(current);
	if (current->prio != current->base_prio) {
		const int prio = prio_behind(current);

		slice_moves(current, prio);
		current->prio = (int8_t)prio;
		if (current->threshold != THRESHOLD_ALWAYS) {
			sched_set_threshold(current);
		}
		slice_moved(current);
	}
	current->wait_flags = 0;
	/* Bound: D, another has asked for that. */
	if (unlikely((flags & TRAVERSAL_FLAG_ENDS) != 0)) {
		arch_irq_unlock(key);
		k_thread_abort(current);
	}
	/* Bound: D, another has asked for that. */
	if (unlikely((flags & TRAVERSAL_FLAG_STOPS) != 0)) {
		thread_stop(current);
	}
}

/* Its traversal is over; masked. True: it is to end. Model: mutex_steps.leave. */
static bool leave(struct k_thread *current, unsigned int key)
{
	if ((current->wait_flags & TRAVERSAL_FLAG_CEILING) != 0) {
		unsigned int flags;

		sched_traversal_window(key); /* what is behind it was a step */
		flags = *(volatile uint8_t *)&current->wait_flags;
		leave_ceiling(current);
		current->wait_flags = 0;
		deadline_counts(current);
		/* Bound: D, another has asked for that. */
		if (unlikely((flags & (TRAVERSAL_FLAG_STOPS | TRAVERSAL_FLAG_ENDS)) ==
			     TRAVERSAL_FLAG_STOPS)) {
			thread_stop(current);
		}
		sched_traversal_window(
			key); /* that was a step; and whoever was woken may run from here on */
		return (flags & TRAVERSAL_FLAG_ENDS) != 0;
	}
	sched_traversal_alone_leave(current);
	return false;
}

__noinline bool sched_traversal_stop(unsigned int key)
{
	struct k_thread *current = k_cpu.current;
	bool ends;

	if (!arch_may_switch(key)) {
		return true;
	}
	ends = leave(current, key);
	if (likely(thread_is_ready(current) && !ends)) {
		return true;
	}
	if (!thread_is_ready(current)) {
		(void)sched_switch(current, k_cpu.best, key);
	} else {
		arch_irq_unlock(key);
	}
	if (ends) {
		k_thread_abort(current);
	}
	(void)arch_irq_lock();
	return false;
}

void sched_traversal_end(unsigned int key)
{
	if (likely(sched_traversal_stop(key))) {
		sched_reschedule(key);
	} else {
		arch_irq_unlock(key);
	}
}

bool sched_traversal_of_end(struct k_thread *thread, unsigned int key)
{
	const _wait_q_t as_urgent = {thread};
	const uint32_t generation = generation_of(thread);

	if (thread == k_cpu.current) {
		sched_traversal_ceiling(&as_urgent, key);
		return false;
	}
	sched_traversal_waking(&as_urgent, key);
	if (generation_thread(generation) == thread) {
		return false;
	}
	sched_traversal_end(key);
	return true;
}

/* Its wait ends by what it waits for, or by its own end. */
static void forget_time(struct k_thread *thread)
{
	if ((thread->state & K_THREAD_TIMED) != 0) {
		timeout_cancel(&thread->timeout);
		thread->state &= (uint8_t)~K_THREAD_TIMED;
	}
}

/* It neither runs nor waits nor walks any more. Returns the queue by which it lent, or NULL. */
static _wait_q_t *stop_for_good(struct k_thread *thread, _wait_q_t *alone)
{
	_wait_q_t *lent = sched_lends_no_longer(thread);

	sched_unlink(thread);
	/* Nor waits it for its period, whose next release would make it ready. */
	thread->wait_flags = 0;
	thread->state = (uint8_t)((thread->state & ~K_THREAD_PERIOD) | K_THREAD_PENDING);
	thread->pended_on = alone;
	wait_q_add(alone, thread);
	return lent;
}

/* All that is a step each. False: another thread has ended it meanwhile. */
static bool end_in_steps(struct k_thread *thread, _wait_q_t *alone, unsigned int key)
{
	const uint32_t generation = generation_of(thread);
	_wait_q_t *lent;
	bool has_more = IS_ENABLED(CONFIG_USERSPACE);

	forget_time(thread);
	sched_traversal_window(key);
	if (generation_thread(generation) == thread) {
		lent = stop_for_good(thread, alone);
		if (lent != NULL) {
			inherit_lent(lent, key);
		}
		sched_traversal_window(key);
	}
	if (generation_thread(generation) == thread) {
		ipc_thread_ends(thread);
		sched_traversal_window(key);
	}
	if (generation_thread(generation) == thread && thread->contended != NULL) {
		inherit_owner_ends(thread, key);
	}
	/* Bound: O, the events that leave. */
	while (generation_thread(generation) == thread && poll_thread_polls(thread)) {
		poll_thread_ends(thread);
		sched_traversal_window(key);
	}
	/* Bound: 2 + CONFIG_POLL_USER_EVENTS; what it polls stands on its stack. */
	while (has_more && generation_thread(generation) == thread) {
		has_more = user_names_end(thread);
		sched_traversal_window(key);
	}
	if (generation_thread(generation) == thread) {
		user_stack_ends(thread);
		sched_traversal_window(key);
	}
	return generation_thread(generation) == thread;
}

/* The same of the running thread, which keeps its stack to the last: that step is next. */
static void own_end_in_steps(struct k_thread *thread, unsigned int key)
{
	bool has_more = IS_ENABLED(CONFIG_USERSPACE);

	sched_traversal_window(key); /* what led here was a step */
	/* Bound: 2 + CONFIG_POLL_USER_EVENTS. */
	while (has_more) {
		has_more = user_names_end(thread);
		sched_traversal_window(key);
	}
	/* Bound: D, those who began to wait for its end in one of those windows. */
	while (unlikely(thread->joiners.head != NULL)) {
		(void)join_wake_all(thread, key);
	}
	if ((thread->state & K_THREAD_QUEUED) != 0) {
		ready_remove(thread);
	}
	thread->base_prio = sched_traversal_own_prio(thread); /* for who asks what it had */
	thread->prio = thread->base_prio;
	thread->wait_flags = 0; /* it is over; whoever has asked for its end meanwhile has it */
}

/* The rest, which is one. Masked; `stack`: as end_in_steps() found it. */
static void end_at_last(struct k_thread *thread, char *stack, unsigned int key)
{
	const bool is_involved = thread->contended != NULL; /* again, in one of those steps */

	period_ended(thread); /* a handler may have set one */
	if (thread_bury(thread)) {
		user_thread_known_ended(thread);
	}
	thread->stack_start = stack;
	generation_end(thread);
	if (is_involved) {
		inherit_thread_ended(thread, key);
	}
	sched_traversal_window(key); /* that was a step; its block may be another's from here on */
	sched_traversal_end(key);
}

bool sched_traversal_ends(struct k_thread *thread, unsigned int key)
{
	char *const stack = thread->stack_start; /* NULL: another one has given it back */
	_wait_q_t alone = {NULL};

	if (thread == k_cpu.current) {
		own_end_in_steps(thread, key);
		return false;
	}
	if (!end_in_steps(thread, &alone, key)) {
		sched_traversal_end(key);
	} else if (thread->joiners.head == NULL || !join_wake_all(thread, key)) {
		end_at_last(thread, stack, key);
	}
	return true;
}

void sched_traversal_ends_thread(struct k_thread *thread, unsigned int key)
{
	struct k_thread *current = k_cpu.current;

	thread->wait_flags |= TRAVERSAL_FLAG_ENDS;
	if ((thread->state & K_THREAD_SUSPENDED) != 0) {
		thread->state &= (uint8_t)~K_THREAD_SUSPENDED;
		sched_ready(thread);
	}
	if (!arch_may_switch(key)) {
		sched_reschedule(key);
		return;
	}
	if (current->prio < thread->prio) {
		thread->base_prio = (int8_t)sched_traversal_set_own_prio(thread, current->prio);
		sched_set_prio(thread, current->prio);
	}
	(void)join_wait(thread, K_FOREVER, key);
}

/* ---- along a wait queue ---- */

struct k_thread *sched_traversal_on(const _wait_q_t *wait_q, struct k_thread *thread,
				    unsigned int key)
{
	const uint32_t moves = sched_moves;

	if ((key & ARCH_IRQ_KEY_BIT) != ARCH_IRQ_KEY_OPEN) {
		return thread;
	}
	if (thread == NULL) {
		sched_traversal_window(key); /* the last was a step, too */
		return NULL;
	}
	thread->state |= K_THREAD_STOOD_ON;
	sched_traversal_window(key);
	/* Bound: D, as others ran. */
	if (unlikely(*(volatile uint32_t *)&sched_moves != moves)) {
		if ((k_cpu.current->wait_flags & TRAVERSAL_FLAG_CEILING) != 0) {
			/* One that was there may be above it by now. */
			sched_traversal_ceiling(wait_q, key);
		}
		return wait_q->head;
	}
	thread->state &= (uint8_t)~K_THREAD_STOOD_ON;
	sched_moves = moves + 1U; /* another traversal that stands on it has no mark any more */
	return thread;
}

unsigned int sched_wake_all(_wait_q_t *wait_q, intptr_t value, unsigned int key)
{
	struct k_thread *waiter;
	unsigned int passed = 0;
	unsigned int woken = 0;

	sched_traversal_waking(wait_q, key);
	waiter = wait_q->head;
	/* Bound: W * (D + 1), the waiters; interrupts are let in after each. */
	while (waiter != NULL) {
		struct k_thread *next = wait_q_next(wait_q, waiter);

		/* Bound: D, those that have come since. */
		if (sched_traversal_is_new(waiter, key)) {
			waiter = sched_traversal_past(wait_q, waiter, &passed, key);
			continue;
		}
		K_ASSERT((waiter->wait_flags & WAIT_FLAG_MUTEX) == 0,
			 "mutex-waiter-at-another-object");
		sched_wake(waiter, value);
		woken++;
		waiter = sched_traversal_on(wait_q, next, key);
	}
	return woken;
}
