/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A switch whose first half, saving what is switched from, was a fault: its stack pointer
 * led nowhere. By then k_cpu.current names the next thread already, which is not to blame
 * and may be in no queue. So the switch is taken back, as if decided a moment later.
 * Rejected: naming the next thread only after the save, in arch_switch(), which costs each
 * switch on Cortex-M an instruction for the address.
 */
#include "kernel/sched/sched.h"

bool sched_switch_failed(struct k_thread *from)
{
	struct k_thread *to = k_cpu.current;

	if ((to->state & K_THREAD_QUEUED) == 0) {
		ready_add_first(to); /* it was handed the CPU past the queue */
	}
	switch_hooks(to, from);
	k_cpu.current = from;
	if ((from->state & K_THREAD_DEAD) == 0) {
		return true;
	}
	from->threshold = THRESHOLD_ALWAYS;
	arch_request_switch();
	return false;
}
