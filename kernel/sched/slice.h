/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns of threads of equal priority: what the scheduler tells slice.c. Interrupts
 * masked. Nothing without CONFIG_TIMESLICING, and with it nothing at a switch.
 */
#ifndef FOLIOT_KERNEL_SLICE_H
#define FOLIOT_KERNEL_SLICE_H

#include "kernel/core/kernel.h"

#ifdef CONFIG_TIMESLICING
/*
 * `thread` is about to enter the ready queue, or its priority has changed: somebody of
 * its priority may be ready already.
 */
void slice_ready(const struct k_thread *thread);

/*
 * sched_preempt() asks: is `current` being interrupted because its turn is over? Then it
 * stands behind its equals now.
 */
bool slice_end_turn(struct k_thread *current);
#else
static inline void slice_ready(const struct k_thread *thread)
{
}

static inline bool slice_end_turn(struct k_thread *current)
{
	return false;
}
#endif

#ifdef CONFIG_TIMESLICE_PER_THREAD
static inline void slice_thread_init(struct k_thread *thread)
{
	thread->slice_ticks = 0;
}
#else
static inline void slice_thread_init(struct k_thread *thread)
{
}
#endif

#endif /* FOLIOT_KERNEL_SLICE_H */
