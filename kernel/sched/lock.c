/* SPDX-License-Identifier: Apache-2.0 */
/* Cooperative for a while: the scheduler locked. */
#include "kernel/sched/sched.h"

void k_sched_lock(void)
{
	unsigned int key = arch_irq_lock();
	struct k_thread *current = k_cpu.current;

	K_ASSERT(!arch_in_isr(), "sched-lock-in-isr");
	K_ASSERT(current->sched_locks != UINT8_MAX, "sched-lock-too-deep");
	current->sched_locks++;
	current->threshold = sched_threshold_fixed(current);
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
	return !arch_in_isr() && sched_is_preemptible(k_cpu.current);
}
