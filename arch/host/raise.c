/* SPDX-License-Identifier: Apache-2.0 */
/* Faults that software finds. Stacks are large here: the report runs where it is called. */
#include <foliot/fatal.h>
#include "arch/arch.h"

void arch_fault_raise(unsigned int reason, const char *cause, uintptr_t pc, enum fatal_where where)
{
	fatal_report(&(struct fault){reason, cause, pc, arch_in_isr() ? FATAL_IN_ISR : where},
		     NULL);
	thread_exit();
}
