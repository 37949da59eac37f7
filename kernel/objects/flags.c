/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Awaited flags of a device. The tick looks only while somebody waits, so a device that
 * nobody waits for costs nothing; and it keeps to its grid meanwhile, so that a thread
 * that waits at any time continues in step with the periodic ones.
 */
#include "kernel/sched/sched.h"
#include "kernel/time/timeout.h"
#include "kernel/time/clock.h"

/* A waiter's condition: its bits of interest in wake_data, their values in wake_value. */
static bool met(uintptr_t mask, intptr_t value, uint32_t reg)
{
	return (reg & (uint32_t)mask) == (uint32_t)value;
}

/* Wake whose condition is met; no switch. Bound: W, the waiters, masked. */
static void wake_met(struct k_flags *flags)
{
	uint32_t reg = *flags->reg;
	struct k_thread *thread = wait_q_head(&flags->wait_q);

	while (thread != NULL) {
		struct k_thread *next = wait_q_next(&flags->wait_q, thread);

		if (met(thread->wake_data, thread->wake_value, reg)) {
			period_triggered(thread, K_TRIGGER_FLAGS);
			sched_wake(thread, 0);
		}
		thread = next;
	}
}

static void look(struct timeout *timeout)
{
	struct k_flags *flags = CONTAINER_OF(timeout, struct k_flags, timeout);

	if (wait_q_head(&flags->wait_q) != NULL) {
		wake_met(flags);
	}
	flags->polling = wait_q_head(&flags->wait_q) != NULL;
	if (flags->polling) {
		timeout_add(timeout, timeout->when + flags->poll);
	}
}

/*
 * Arm the next reading. `when` is a tick of the grid: one ahead is kept, for one that is not
 * ahead the grid's first tick after now is found.
 */
static void start_looking(struct k_flags *flags)
{
	timeout_tick_t passed = clock_ticks() - flags->timeout.when;

	flags->polling = true;
	flags->timeout.expire = look;
	if ((timeout_distance_t)passed >= 0) {
		flags->timeout.when += (passed / flags->poll + 1U) * flags->poll;
	}
	timeout_add(&flags->timeout, flags->timeout.when);
}

static timeout_tick_t poll_ticks(k_timeout_t poll)
{
	return poll.ticks == K_TICKS_FOREVER || timeout_is_absolute(poll)
		       ? 0
		       : (timeout_tick_t)poll.ticks;
}

void k_flags_init(struct k_flags *flags, const volatile uint32_t *reg, k_timeout_t poll)
{
	*flags = (struct k_flags)K_FLAGS_INITIALIZER(reg, poll_ticks(poll));
}

void k_flags_poll_set(struct k_flags *flags, k_timeout_t poll, k_ticks_t first)
{
	unsigned int key = arch_irq_lock();

	if (flags->polling) {
		timeout_cancel(&flags->timeout);
		flags->polling = false;
	}
	flags->poll = poll_ticks(poll);
	flags->timeout.when = clock_from_uptime((timeout_tick_t)first);
	if (flags->poll != 0 && wait_q_head(&flags->wait_q) != NULL) {
		start_looking(flags);
	}
	arch_irq_unlock(key);
}

int k_flags_await(struct k_flags *flags, uint32_t mask, uint32_t value, k_timeout_t timeout)
{
	unsigned int key = arch_irq_lock();
	bool now = met(mask, (intptr_t)value, *flags->reg);

	if (now || timeout.ticks == 0) {
		arch_irq_unlock(key);
		return now ? 0 : -EBUSY;
	}
	/* Bound: D, they have changed in a window. */
	if (sched_arm_first(timeout, -EAGAIN, key) && met(mask, (intptr_t)value, *flags->reg)) {
		sched_disarm();
		arch_irq_unlock(key);
		return 0;
	}
	if (flags->poll != 0 && !flags->polling) {
		start_looking(flags);
	}
	if (!arch_in_isr()) {
		k_cpu.current->wake_data = mask;
		k_cpu.current->wake_value = (intptr_t)value;
	}
	return (int)sched_pend_slow(&flags->wait_q, timeout, key, -EAGAIN);
}

void k_flags_check(struct k_flags *flags)
{
	unsigned int key = arch_irq_lock();

	if (wait_q_head(&flags->wait_q) != NULL) {
		wake_met(flags);
	}
	sched_reschedule(key);
}
