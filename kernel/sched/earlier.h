/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whose deadline comes first: of threads of one priority that one does, in the ready queue and in
 * wait queues, and preempts the others; one that has none comes after all that have (deadline.c).
 * Nothing without CONFIG_SCHED_DEADLINE.
 */
#ifndef FOLIOT_KERNEL_EARLIER_H
#define FOLIOT_KERNEL_EARLIER_H

#include "kernel/base/kernel.h"

#ifdef CONFIG_SCHED_DEADLINE
/* Does `a` go before `b`, of its priority? Right while both lie within 2^31 cycles. */
static inline bool deadline_is_earlier(const struct k_thread *a, const struct k_thread *b)
{
	if (!a->has_deadline || !b->has_deadline) {
		return a->has_deadline;
	}
	return (int32_t)(a->deadline - b->deadline) < 0;
}

static inline void deadline_thread_created(struct k_thread *thread)
{
	thread->has_deadline = false;
}
#else
static inline bool deadline_is_earlier(const struct k_thread *a, const struct k_thread *b)
{
	return false;
}

static inline void deadline_thread_created(struct k_thread *thread)
{
}
#endif

#endif /* FOLIOT_KERNEL_EARLIER_H */
