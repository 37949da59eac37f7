/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that idles as the idle thread does, and whether it could wait instead. */
#include "kernel/sched/sched.h"

bool k_can_yield(void)
{
	return kernel_started && !arch_in_isr() && k_cpu.current->prio != K_IDLE_PRIO;
}

void k_cpu_idle(void)
{
	arch_cpu_idle();
}

void k_cpu_atomic_idle(unsigned int key)
{
	arch_cpu_idle(); /* a pending interrupt ends it, masked or not */
	arch_irq_unlock(key);
}
