/* SPDX-License-Identifier: Apache-2.0 */
/* A point at which threads are switched, and no more. */
#include "kernel/sched/sched.h"

void k_reschedule(void)
{
	unsigned int key = arch_irq_lock();

	K_ASSERT(IS_ENABLED(CONFIG_SCHED_DEADLINE) || !arch_may_switch(key) ||
			 !sched_outranks(metairq_instead(k_cpu.best), k_cpu.current),
		 "missed-switch"); /* who sets a deadline asks for that */
	sched_reschedule(key);
}
