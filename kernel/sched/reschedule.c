/* SPDX-License-Identifier: Apache-2.0 */
/* A point at which threads are switched, and no more. */
#include "kernel/sched/sched.h"

void k_reschedule(void)
{
	sched_reschedule(arch_irq_lock());
}
