/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for nothing but time. */
#include "kernel/sched/sched.h"
#include "kernel/time/timeout.h"
#include "kernel/time/clock.h"
#include "kernel/time/arithmetic.h"

CALLS_DIRECTLY(k_yield);

/* Ticks in milliseconds, rounded up; without dividing 64 bits at the usual tick rates. */
static uint64_t ms_ceil(k_ticks_t ticks)
{
	const uint32_t in_ms = CONFIG_SYS_CLOCK_TICKS_PER_SEC / MSEC_PER_SEC;

	if (sizeof(ticks) == sizeof(uint32_t) &&
	    CONFIG_SYS_CLOCK_TICKS_PER_SEC % MSEC_PER_SEC == 0) {
		return quotient((uint32_t)ticks + in_ms - 1U, MAX(in_ms, 1U));
	}
	if (MSEC_PER_SEC % CONFIG_SYS_CLOCK_TICKS_PER_SEC == 0) {
		return (uint64_t)ticks * (MSEC_PER_SEC / CONFIG_SYS_CLOCK_TICKS_PER_SEC);
	}
	return k_ticks_to_ms_ceil64((uint64_t)ticks);
}

#define TIME_IS_OVER 1 /* what a sleep ends with; 0: k_wakeup(); negative: in an ISR */

static inline intptr_t sleep_ticks(k_timeout_t timeout)
{
	unsigned int key = arch_irq_lock();

	(void)sched_arm_first(timeout, TIME_IS_OVER, key);
	return sched_pend_timed(NULL, timeout, key, TIME_IS_OVER);
}

/* The ticks that were left of a sleep that ended so, not by its time. */
static inline k_ticks_t ticks_left(k_timeout_t timeout, intptr_t end)
{
	timeout_tick_t asked = (timeout_tick_t)timeout.ticks;
	timeout_tick_t left;
	unsigned int key;

	if (end != 0) {
		return timeout.ticks;
	}
	key = arch_irq_lock();
	left = k_cpu.current->timeout.when - clock_ticks(); /* up to one more than it asked for */
	arch_irq_unlock(key);
	if (timeout_is_absolute(timeout)) {
		asked = (timeout_tick_t)K_TICKS_MAX;
	}
	return (k_ticks_t)(left - 1U > asked ? 0 : MIN(left, asked));
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

/* Not at all, or for ever. */
static __noinline int32_t sleep_slow(k_timeout_t timeout)
{
	if (timeout.ticks == 0) {
		return sleep_no_time();
	}
	(void)sched_pend_slow(NULL, timeout, arch_irq_lock(), 0);
	return (int32_t)K_TICKS_FOREVER;
}

static __cold __noinline int32_t ms_left(k_timeout_t timeout, intptr_t end)
{
	uint64_t ms = ms_ceil(ticks_left(timeout, end));

	return (int32_t)MIN(ms, (uint64_t)INT32_MAX);
}

int32_t k_sleep(k_timeout_t timeout)
{
	intptr_t end;

	if (unlikely(timeout.ticks == 0 || timeout.ticks == K_TICKS_FOREVER)) {
		return sleep_slow(timeout);
	}
	end = sleep_ticks(timeout);
	return likely(end == TIME_IS_OVER) ? 0 : ms_left(timeout, end);
}

int32_t k_msleep(int32_t ms)
{
	return k_sleep(K_MSEC(ms));
}

int32_t k_usleep(int32_t us)
{
	k_timeout_t timeout;
	uint64_t left_us;
	intptr_t end;

	if (us <= 0) {
		return sleep_no_time();
	}
	timeout = K_USEC(us);
	end = sleep_ticks(timeout);
	if (likely(end == TIME_IS_OVER)) {
		return 0;
	}
	left_us = k_ticks_to_us_floor64((uint64_t)ticks_left(timeout, end));
	return (int32_t)MIN(left_us, (uint64_t)INT32_MAX);
}

void k_wakeup(k_tid_t thread)
{
	unsigned int key = arch_irq_lock();

	if ((thread->state & K_THREAD_PENDING) != 0 && thread->pended_on == NULL) {
		period_woken(thread);
		(void)sched_wake_switch(thread, 0, key);
		return;
	}
	arch_irq_unlock(key);
}

k_ticks_t k_thread_timeout_remaining_ticks(k_tid_t thread)
{
	unsigned int key = arch_irq_lock();
	bool timed = (thread->state & K_THREAD_TIMED) != 0;
	timeout_tick_t left = timed ? timeout_remaining(&thread->timeout) : 0;

	arch_irq_unlock(key);
	return (k_ticks_t)left;
}

k_ticks_t k_thread_timeout_expires_ticks(k_tid_t thread)
{
	unsigned int key = arch_irq_lock();
	bool timed = (thread->state & K_THREAD_TIMED) != 0;
	timeout_tick_t when = timed ? thread->timeout.when : clock_ticks();

	arch_irq_unlock(key);
	return (k_ticks_t)(when - CONFIG_SYS_CLOCK_FIRST_TICK);
}
