/* SPDX-License-Identifier: Apache-2.0 */
/* Giving way to equals. */
#include "kernel/sched/sched.h"

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
