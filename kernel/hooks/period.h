/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the scheduler tells of a thread's life to its periodic part. Empty without
 * CONFIG_PERIODIC. Interrupts masked throughout.
 */
#ifndef FOLIOT_KERNEL_PERIOD_H
#define FOLIOT_KERNEL_PERIOD_H

#include "kernel/base/kernel.h"

#ifdef CONFIG_PERIODIC
/* It ends, or its period does: nothing releases it any more. */
void period_leave(struct k_thread *thread);

static inline void period_created(struct k_thread *thread)
{
	thread->period.ticks = 0;
	thread->period.trigger = K_TRIGGER_NONE;
	thread->period.no_wait = true;
	thread->period.leads = false;
}

static inline void period_ended(struct k_thread *thread)
{
	if (thread->period.ticks != 0) {
		period_leave(thread);
	}
}

/* What ended a wait; k_period_wait() is over in any case. */
static inline void period_triggered(struct k_thread *thread, enum k_trigger trigger)
{
	thread->period.trigger = (uint8_t)trigger;
	thread->state &= (uint8_t)~K_THREAD_PERIOD;
}

static inline void period_woken(struct k_thread *thread)
{
	period_triggered(thread, K_TRIGGER_NONE);
}

static inline void period_timed_out(struct k_thread *thread)
{
	period_triggered(thread, K_TRIGGER_DELAY);
}
#else
static inline void period_created(struct k_thread *thread)
{
}

static inline void period_ended(struct k_thread *thread)
{
}

static inline void period_woken(struct k_thread *thread)
{
}

static inline void period_timed_out(struct k_thread *thread)
{
}
#endif

#endif /* FOLIOT_KERNEL_PERIOD_H */
