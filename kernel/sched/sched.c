/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocking, waking and choosing. The fast paths are inline in sched.h; here is what
 * happens when somebody else waits too, a time-out is set, the caller is an ISR or
 * has interrupts masked, or the thread that is displaced is not queued.
 */
#include "kernel/sched/sched.h"
#include "kernel/time/timeout.h"
#include "kernel/hooks/inherit.h"

struct cpu k_cpu ARCH_NEAR;
uint32_t sched_moves;

__noinline intptr_t sched_pend_in_front(_wait_q_t *wait_q, unsigned int key)
{
	struct k_thread *current = k_cpu.current;

	wait_q_join(wait_q, current);
	return sched_switch(current, k_cpu.best, key);
}

/*
 * Without a time-out it calls nobody but last, so that it saves no register: leaving the inlined
 * path costs a jump and what the state itself needs. The queued caller comes first.
 */
intptr_t sched_pend_slow(_wait_q_t *wait_q, k_timeout_t timeout, unsigned int key,
			 int timeout_value)
{
	struct k_thread *current = k_cpu.current;

	if (!FAST_PATHS ||
	    unlikely(timeout.ticks != K_TICKS_FOREVER || wait_q == NULL || arch_in_isr())) {
		return sched_pend_timed(wait_q, timeout, key, timeout_value);
	}
	sched_check();
	if (likely(current->state != 0)) {
		ready_unlink_inline(current);
	}
	current->state = K_THREAD_PENDING;
	current->pended_on = wait_q;
	return sched_pend_switch(wait_q, current, key);
}

/* Out of its wait, with `value`; not yet ready. */
static __noinline void end_wait(struct k_thread *thread, intptr_t value)
{
	_wait_q_t *wait_q = thread->pended_on;

	if ((thread->state & K_THREAD_TIMED) != 0) {
		timeout_cancel(&thread->timeout);
	}
	if ((thread->state & K_THREAD_STOOD_ON) != 0) {
		sched_moves++;
	}
	/* First: whoever inherits below must not find it waiting any more. */
	thread->wake_value = value;
	thread->state &= (uint8_t)~(K_THREAD_PENDING | K_THREAD_TIMED | K_THREAD_STOOD_ON);
	if (wait_q != NULL) {
		unsigned int flags = thread->wait_flags;

		wait_q_remove(wait_q, thread);
		thread->wait_flags = 0;
		if ((flags & WAIT_FLAG_MUTEX) != 0) {
			inherit_waiter_moved(wait_q);
		}
	}
}

void sched_ready(struct k_thread *thread)
{
	struct k_thread *current = k_cpu.current;

	if (thread == current) {
		/* Stopped and allowed again by ISRs before it could be switched from. */
		sched_set_threshold(thread);
		slice_goes_on(thread);
		return;
	}
	ready_add_last(thread);
	if (arch_in_isr() && sched_outranks(thread, current)) {
		arch_request_switch();
	}
}

/* Any; the usual: in an ISR, or with a time-out, or at a mutex. */
static __noinline void wake_slow(struct k_thread *thread, intptr_t value)
{
	K_ASSERT((thread->state & K_THREAD_PENDING) != 0, "wake-of-a-thread-that-does-not-wait");
	end_wait(thread, value);
	if (thread_is_ready(thread)) {
		sched_ready(thread);
	}
}

/* Each in a traversal comes this way: it calls nobody, so that a step is short. */
__noinline void sched_wake(struct k_thread *thread, intptr_t value)
{
	if (!FAST_PATHS || thread->state != K_THREAD_PENDING || thread->pended_on == NULL ||
	    (thread->wait_flags & WAIT_FLAG_MUTEX) != 0 || arch_in_isr()) {
		wake_slow(thread, value);
		return;
	}
	wait_q_remove_inline(thread->pended_on, thread);
	thread->wake_value = value;
	thread->wait_flags = 0;
	thread->state = 0;
	ready_add_last_inline(thread);
}

intptr_t sched_switch_unqueued(struct k_thread *current, struct k_thread *next, unsigned int key)
{
	ready_add_preempted_inline(current);
	return sched_switch(current, next, key);
}

__noinline intptr_t sched_wake_switch(struct k_thread *thread, intptr_t value, unsigned int key)
{
	intptr_t result = k_cpu.current->wake_value;

	if (!FAST_PATHS) {
		sched_wake(thread, value);
		sched_reschedule(key);
		return result;
	}
	K_ASSERT(thread != k_cpu.current, "wake-of-the-running-thread");
	end_wait(thread, value);
	if (thread_is_ready(thread)) {
		sched_ready_switch(thread, key);
	} else {
		arch_irq_unlock(key);
	}
	return result;
}

/*
 * Its time-out first. Most often it is the only waiter, and outranks the caller: that is fast
 * through, and calls nothing with a register to keep.
 */
static __noinline intptr_t wake_first_timed(_wait_q_t *wait_q, intptr_t value, unsigned int key)
{
	struct k_thread *thread = wait_q->head;
	struct k_thread *current = k_cpu.current;

	if (unlikely(thread->state != (K_THREAD_PENDING | K_THREAD_TIMED) ||
		     thread->wait_flags != 0 || thread->next != thread || !arch_may_switch(key) ||
		     thread->prio >= current->threshold)) {
		timeout_cancel(&thread->timeout);
		thread->state &= (uint8_t)~K_THREAD_TIMED;
		/* Bound: 1. It has no time-out any more. */
		return sched_wake_first(wait_q, value, key);
	}
	sched_check_wake(key);
	timeout_cancel(&thread->timeout);
	wait_q->head = NULL;
	thread->wake_value = value;
	thread->state = 0;
	return sched_switch_preempting(current, thread, key);
}

/* Calls nobody unless last, so that it saves no register: handlers come this way. */
intptr_t sched_wake_first(_wait_q_t *wait_q, intptr_t value, unsigned int key)
{
	struct k_thread *thread = wait_q->head;
	struct k_thread *current = k_cpu.current;

	K_ASSERT((thread->wait_flags & WAIT_FLAG_MUTEX) == 0, "mutex-waiter-at-another-object");
	if (FAST_PATHS && (thread->state & K_THREAD_TIMED) != 0) {
		return wake_first_timed(wait_q, value, key);
	}
	if (!FAST_PATHS || unlikely(thread->state != K_THREAD_PENDING || thread->wait_flags != 0)) {
		return sched_wake_switch(thread, value, key);
	}
	sched_check_wake(key);
	wait_q_remove_first_inline(wait_q, thread);
	thread->wake_value = value;
	if (thread->prio < current->threshold) {
		if (likely(arch_may_switch(key))) {
			thread->state = 0;
			return sched_switch_preempting(current, thread, key);
		}
		/* An ISR, or a thread with interrupts masked: the switch follows. */
		arch_request_switch();
	}
	thread->state = 0; /* behind the request, or compilers load it again */
	ready_add_last_inline(thread);
	arch_irq_unlock(key);
	return current->wake_value;
}

void sched_ready_switch(struct k_thread *thread, unsigned int key)
{
	struct k_thread *current = k_cpu.current;

	sched_check_wake(key);
	if (!FAST_PATHS) {
		sched_ready(thread);
		sched_reschedule(key);
		return;
	}
	if (thread->prio < current->threshold && arch_may_switch(key)) {
		(void)sched_switch_preempting(current, thread, key);
		return;
	}
	if (unlikely(thread == current)) {
		sched_ready(thread); /* stopped, and allowed again, by ISRs */
	} else {
		if (thread->prio < current->threshold) {
			arch_request_switch();
		}
		ready_add_last_inline(thread);
	}
	arch_irq_unlock(key);
}

void sched_reschedule(unsigned int key)
{
	struct k_thread *current = k_cpu.current;

	if (sched_outranks(metairq_instead(k_cpu.best), current)) {
		if (arch_may_switch(key)) {
			if ((current->state & K_THREAD_QUEUED) == 0) {
				ready_add_first(current);
			}
			(void)sched_switch(current, k_cpu.best, key);
			return;
		}
		arch_request_switch();
	}
	arch_irq_unlock(key);
}

/* The running thread, which cannot go on, or is about to wait with a time-out. */
static inline void stop_or_queue(struct k_thread *current)
{
	if (!thread_is_ready(current)) {
		sched_set_threshold(current); /* sched_stop() had raised it */
	} else if (ARMS_FIRST && (current->state & K_THREAD_QUEUED) == 0) {
		ready_add_first(current);
	}
}

struct k_thread *sched_preempt(void)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *next;

	stackguard_check_preempt(current);
	next = metairq_instead(k_cpu.best);
	if (!sched_outranks(next, current)) {
		return current;
	}
	if (slice_is_on() && next == current) {
		slice_stay(current);
		return current;
	}
	if (current->state == 0) {
		ready_add_first(current);
	} else if (!ARMS_FIRST || unlikely(current->state != K_THREAD_QUEUED)) {
		stop_or_queue(current);
	}
	switch_hooks(current, next);
	k_cpu.current = next;
	return next;
}

/* Model: threads.sched_set_prio */
void sched_set_prio(struct k_thread *thread, int prio)
{
	bool queued = (thread->state & K_THREAD_QUEUED) != 0;
	bool waits = (thread->state & K_THREAD_PENDING) != 0 && thread->pended_on != NULL;

	slice_moves(thread, prio);
	if (queued) {
		ready_remove(thread);
	} else if (waits) {
		wait_q_remove(thread->pended_on, thread);
		sched_moves++;
	}
	thread->prio = (int8_t)prio;
	if (thread->threshold != THRESHOLD_ALWAYS) {
		sched_set_threshold(thread);
	}
	if (thread == k_cpu.current && arch_in_isr()) {
		arch_request_switch(); /* it may have been outranked: sched_preempt() will see */
	}
	/* The running thread need not be queued again: see the invariants. */
	if (queued && thread != k_cpu.current) {
		if (unlikely((thread->wait_flags & TRAVERSAL_FLAG_CEILING) != 0) &&
		    thread->prio != k_cpu.current->prio) {
			ready_add_first(thread); /* in front of whom it has woken */
		} else {
			ready_add_last(thread);
		}
	} else if (waits) {
		wait_q_add(thread->pended_on, thread);
	}
	slice_moved(thread);
}

void sched_unlink(struct k_thread *thread)
{
	metairq_forget(thread);
	if ((thread->state & K_THREAD_PENDING) != 0) {
		end_wait(thread, 0); /* last, so that it is a jump */
		return;
	}
	if ((thread->state & K_THREAD_QUEUED) != 0) {
		ready_remove(thread);
	}
	if ((thread->state & K_THREAD_TIMED) != 0) {
		timeout_cancel(&thread->timeout);
		thread->state &= (uint8_t)~K_THREAD_TIMED;
	}
}

void sched_stop(struct k_thread *thread, unsigned int key)
{
	if (thread != k_cpu.current || thread == k_cpu.walker) {
		arch_irq_unlock(key);
		return;
	}
	if (arch_in_isr()) {
		thread->threshold = THRESHOLD_ALWAYS;
		arch_request_switch();
		arch_irq_unlock(key);
		return;
	}
	(void)sched_switch(thread, k_cpu.best, key);
}

#ifdef CONFIG_ASSERT
void sched_check(void)
{
	const struct k_thread *best = k_cpu.best;

	K_ASSERT(k_cpu.levels != 0, "idle-not-queued");
	K_ASSERT(best == ready_search(), "best-is-not-the-best");
	K_ASSERT((best->state & K_THREAD_QUEUED) != 0, "best-is-not-queued");
	/* Who was suspended in a traversal is on its way to the wait behind it, once it is over. */
	K_ASSERT((k_cpu.current->state & THREAD_NOT_READY & ~K_THREAD_SUSPENDED) == 0 ||
			 arch_in_isr(),
		 "running-but-not-ready");
}

void sched_check_wake(unsigned int key)
{
	const struct k_thread *current = k_cpu.current;

	sched_check();
	if (arch_may_switch(key) && current->threshold != THRESHOLD_NEVER) {
		K_ASSERT(sched_best_prio() >= MIN(current->prio, current->threshold),
			 "missed-preemption");
		K_ASSERT((current->state & K_THREAD_QUEUED) == 0 || k_cpu.best == current ||
				 !sched_is_preemptible(current),
			 "running-queued-but-not-best");
	}
}
#endif
