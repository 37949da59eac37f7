/* SPDX-License-Identifier: Apache-2.0 */
/* A thread whose stack is found overflowed while PendSV switches from it. */
#include <arch_checks.h>
#include "fault.h"

void arch_preempted_fault(unsigned int reason, const char *cause)
{
	struct k_thread *thread = k_cpu.current;
	const uint32_t *frame = (const uint32_t *)fault_psp();

	fatal_report(
		&(struct fault){reason, cause, frame[EXC_PC / sizeof(*frame)], FATAL_IN_THREAD},
		NULL);
	k_thread_abort(thread);
	fault_drop_stack(thread);
}

#ifdef CONFIG_STACK_GUARD_HW
void cortex_m_preempted_without_room(void); /* guard.inc */

void cortex_m_preempted_without_room(void)
{
	if ((k_cpu.current->state & K_THREAD_DEAD) == 0) {
		arch_preempted_fault(K_ERR_STACK_CHK_FAIL, "stack overflow seen at a preemption");
	} else {
		fault_drop_stack(k_cpu.current); /* it never comes back */
	}
}
#endif
