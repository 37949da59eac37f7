/* SPDX-License-Identifier: Apache-2.0 */
/* What the running thread does to its own turn: yield, sleep, lock, change priority. */
#include "kernel/sched/sched.h"
#include "kernel/time/timeout.h"
#include "kernel/time/clock.h"
#include "kernel/objects/mutex.h"

/*
 * The running thread is not the head of the most urgent level: it is not queued, and
 * somebody of its priority may be; or it is cooperative or has locked the scheduler, and
 * others outrank it.
 */
static __noinline void yield_not_best(struct k_thread *current, unsigned int key)
{
	bool queued = (current->state & K_THREAD_QUEUED) != 0;

	if (arch_in_isr() || (!queued && k_cpu.best->prio > current->prio)) {
		arch_irq_unlock(key);
		return;
	}
	if (queued) {
		ready_remove(current);
	}
	ready_add_last(current);
	(void)sched_switch(current, k_cpu.best, key);
}

void k_yield(void)
{
	unsigned int key = arch_irq_lock();
	struct k_thread *current = k_cpu.current;
	struct k_thread *next = current->next;

	K_ASSERT(!arch_in_isr(), "yield-in-isr");
	if (unlikely(k_cpu.best != current)) {
		yield_not_best(current, key);
		return;
	}
	if (unlikely(next == current)) {
		arch_irq_unlock(key);
		return;
	}
	/* Turn the ring: the caller becomes its last. */
	k_cpu.level[PRIO_LEVEL(current->prio)] = next;
	k_cpu.best = next;
	(void)sched_switch(current, next, key);
}

/* Returns the ticks that were left. */
static k_ticks_t sleep_ticks(k_timeout_t timeout)
{
	unsigned int key = arch_irq_lock();
	k_ticks_t end = timeout_deadline(timeout);
	k_ticks_t left;

	(void)sched_pend_slow(NULL, timeout, key, 0);
	key = arch_irq_lock();
	left = end - clock_ticks();
	arch_irq_unlock(key);
	return (int32_t)left <= 0 ? 0 : MIN(left, timeout.ticks);
}

/* A sleep of no time gives equals their turn; k_yield() itself does not look for an ISR. */
static int32_t sleep_no_time(void)
{
	K_ASSERT(!arch_in_isr(), "blocking-call-in-isr");
	if (!arch_in_isr()) {
		k_yield();
	}
	return 0;
}

int32_t k_sleep(k_timeout_t timeout)
{
	uint32_t left_ms;

	if (timeout.ticks == 0) {
		return sleep_no_time();
	}
	if (timeout.ticks == K_TICKS_FOREVER) {
		(void)sched_pend_slow(NULL, timeout, arch_irq_lock(), 0);
		return (int32_t)K_TICKS_FOREVER;
	}
	left_ms = k_ticks_to_ms_ceil32(sleep_ticks(timeout));
	return (int32_t)MIN(left_ms, (uint32_t)INT32_MAX);
}

int32_t k_msleep(int32_t ms)
{
	return k_sleep(K_MSEC(ms));
}

int32_t k_usleep(int32_t us)
{
	uint64_t left_us;

	if (us <= 0) {
		return sleep_no_time();
	}
	left_us = k_ticks_to_us_floor64(sleep_ticks(K_USEC(us)));
	return (int32_t)MIN(left_us, (uint64_t)INT32_MAX);
}

void k_wakeup(k_tid_t thread)
{
	unsigned int key = arch_irq_lock();

	if ((thread->state & K_THREAD_PENDING) != 0 && thread->pended_on == NULL) {
		period_woken(thread);
		sched_wake(thread, 0);
		sched_reschedule(key);
		return;
	}
	arch_irq_unlock(key);
}

int k_thread_priority_get(k_tid_t thread)
{
	return thread->prio;
}

void k_thread_priority_set(k_tid_t thread, int prio)
{
	unsigned int key = arch_irq_lock();
	struct k_mutex *waited_for = mutex_waited_for(thread);

	K_ASSERT(prio >= K_HIGHEST_THREAD_PRIO && prio < K_LOWEST_THREAD_PRIO, "bad-priority");
	thread->base_prio = (int8_t)prio;
	if (thread->contended != NULL) {
		prio = mutex_effective_prio(thread);
	}
	sched_set_prio(thread, prio);
	slice_new_turn(thread);
	if (waited_for != NULL) {
		mutex_waiters_changed(waited_for);
	}
	sched_reschedule(key);
}

void k_sched_lock(void)
{
	unsigned int key = arch_irq_lock();
	struct k_thread *current = k_cpu.current;

	K_ASSERT(!arch_in_isr(), "sched-lock-in-isr");
	K_ASSERT(current->sched_locks != UINT8_MAX, "sched-lock-too-deep");
	current->sched_locks++;
	current->threshold = THRESHOLD_NEVER;
	arch_irq_unlock(key);
}

void k_sched_unlock(void)
{
	unsigned int key = arch_irq_lock();
	struct k_thread *current = k_cpu.current;

	K_ASSERT(!arch_in_isr(), "sched-unlock-in-isr");
	K_ASSERT(current->sched_locks != 0, "sched-unlock-without-lock");
	current->sched_locks--;
	sched_set_threshold(current);
	slice_goes_on(current);
	sched_reschedule(key);
}

int k_is_preempt_thread(void)
{
	return !arch_in_isr() && k_cpu.current->threshold != THRESHOLD_NEVER;
}

k_ticks_t k_thread_timeout_remaining_ticks(k_tid_t thread)
{
	unsigned int key = arch_irq_lock();
	bool timed = (thread->state & K_THREAD_TIMED) != 0;
	k_ticks_t left = timed ? timeout_remaining(&thread->timeout) : 0;

	arch_irq_unlock(key);
	return left;
}

k_ticks_t k_thread_timeout_expires_ticks(k_tid_t thread)
{
	unsigned int key = arch_irq_lock();
	bool timed = (thread->state & K_THREAD_TIMED) != 0;
	k_ticks_t when = timed ? thread->timeout.when : clock_ticks();

	arch_irq_unlock(key);
	return when - CONFIG_SYS_CLOCK_FIRST_TICK;
}
