/* SPDX-License-Identifier: Apache-2.0 */
/* A thread whose stack is found overflowed while PendSV switches from it. */
#include <arch_checks.h>
#include "fault.h"

void arch_preempted_fault(unsigned int reason, const char *cause)
{
	struct k_thread *thread = k_cpu.current;

	fatal_report(reason, cause, (uintptr_t)__builtin_return_address(0), NULL, 0,
		     FATAL_IN_THREAD);
	k_thread_abort(thread);
	fault_drop_stack(thread);
}
