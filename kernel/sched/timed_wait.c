/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits that end by time. The usual cases, a wait that is not the next to end and one that ends
 * alone, go straight through and save no register: whatever needs a call is a function of its
 * own, and called last.
 */
#include "kernel/sched/sched.h"
#include "kernel/time/clock.h"
#include "kernel/time/timeout.h"

/* Any; it waits for long, or to begin. Model: steps.expire_early, mutex_steps.expire_early. */
static __noinline void timed_out_slow(struct k_thread *thread)
{
	thread->state &= (uint8_t)~K_THREAD_TIMED;
	if ((thread->state & K_THREAD_PENDING) != 0) {
		sched_wake(thread, thread->timeout_value);
		return;
	}
	if ((thread->state & K_THREAD_PRESTART) != 0) {
		thread->state &= (uint8_t)~K_THREAD_PRESTART;
		if (thread_is_ready(thread)) {
			sched_ready(thread);
		}
	} /* else it is about to wait, and finds its time over. */
}

/*
 * The usual case calls nobody. Only the most urgent thread can be worth a switch: where another
 * one is, it has been asked for, or may not be had. Model: steps.expire.
 */
static void thread_timed_out(struct timeout *timeout)
{
	struct k_thread *thread = CONTAINER_OF(timeout, struct k_thread, timeout);

	period_timed_out(thread);
	/* In one test of what is loaded together. */
	if (!FAST_PATHS || unlikely(((thread->state ^ (K_THREAD_PENDING | K_THREAD_TIMED)) |
				     thread->wait_flags) != 0)) {
		timed_out_slow(thread);
		return;
	}
	if (unlikely(thread->pended_on != NULL)) {
		wait_q_remove_inline(thread->pended_on, thread);
	}
	thread->wake_value = thread->timeout_value;
	thread->state = 0;
	if (ready_add_last_inline(thread) && thread->prio < k_cpu.current->threshold) {
		arch_request_switch();
	}
}

void sched_arm_timeout(struct k_thread *thread, k_timeout_t timeout, int timeout_value)
{
	period_woken(thread); /* unless its time comes */
	thread->timeout_value = (int8_t)timeout_value;
	thread->state |= K_THREAD_TIMED;
	thread->timeout.expire = thread_timed_out;
	timeout_add(&thread->timeout, timeout_deadline(timeout));
}

void sched_pend_prepare(_wait_q_t *wait_q, k_timeout_t timeout, int timeout_value)
{
	struct k_thread *current = k_cpu.current;

	sched_check();
	if ((current->state & K_THREAD_QUEUED) != 0) {
		ready_remove(current);
	}
	current->state |= K_THREAD_PENDING;
	current->pended_on = wait_q;
	if (wait_q != NULL) {
		wait_q_add(wait_q, current);
	}
	/* Bound: D + CONFIG_SIZE_OPTIMIZATIONS + CONFIG_IPC; the others have it armed. */
	if (timeout.ticks != K_TICKS_FOREVER &&
	    (!ARMS_FIRST || (current->state & K_THREAD_TIMED) == 0)) {
		sched_arm_timeout(current, timeout, timeout_value);
	}
}

/* Any; the usual: not at all, or in an ISR; or for ever, and for nothing but k_wakeup(). */
static __noinline intptr_t pend_slow(_wait_q_t *wait_q, k_timeout_t timeout, unsigned int key,
				     int timeout_value)
{
	if (timeout.ticks == 0 || arch_in_isr()) {
		K_ASSERT(timeout.ticks == 0, "blocking-call-in-isr");
		arch_irq_unlock(key);
		if (timeout_value == 0) {
			return 0;
		}
		return timeout.ticks == 0 ? -EBUSY : -EWOULDBLOCK;
	}
	/* Bound: D, its time came in a window. Model: steps.is_over. */
	if (sched_is_over(timeout)) {
		k_cpu.current->wait_flags = 0;
		arch_irq_unlock(key);
		return timeout_value;
	}
	sched_pend_prepare(wait_q, timeout, timeout_value);
	return sched_switch(k_cpu.current, k_cpu.best, key);
}

#ifndef CONFIG_SIZE_OPTIMIZATIONS
/* Model: steps.begin, steps.arm */
bool sched_arm_first(k_timeout_t timeout, int timeout_value, unsigned int key)
{
	if (timeout.ticks == 0 || timeout.ticks == K_TICKS_FOREVER || arch_in_isr()) {
		return false;
	}
	sched_traversal_window(key); /* what led here was a step */
	sched_arm_timeout(k_cpu.current, timeout, timeout_value);
	sched_traversal_window(key);
	return true;
}

void sched_disarm(void)
{
	struct k_thread *current = k_cpu.current;

	period_woken(current); /* it does not wait, even if its time is over */
	if ((current->state & K_THREAD_TIMED) != 0) {
		timeout_cancel(&current->timeout);
		current->state &= (uint8_t)~K_THREAD_TIMED;
	}
}
#endif

/* Calls nobody unless last, so that it saves no register. Model: steps.wait. */
intptr_t sched_pend_timed(_wait_q_t *wait_q, k_timeout_t timeout, unsigned int key,
			  int timeout_value)
{
	struct k_thread *current = k_cpu.current;

	if (!FAST_PATHS || unlikely(timeout.ticks == 0 || timeout.ticks == K_TICKS_FOREVER ||
				    arch_in_isr() || (current->state & K_THREAD_TIMED) == 0)) {
		return pend_slow(wait_q, timeout, key, timeout_value);
	}
	sched_check();
	if (current->state != K_THREAD_TIMED) {
		ready_unlink_inline(current);
	}
	current->state = K_THREAD_PENDING | K_THREAD_TIMED;
	current->pended_on = wait_q;
	return wait_q != NULL ? sched_pend_switch(wait_q, current, key)
			      : sched_switch(current, k_cpu.best, key);
}
