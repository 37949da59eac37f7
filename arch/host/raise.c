/* SPDX-License-Identifier: Apache-2.0 */
/* Faults that software finds. Stacks are large here: the report runs where it is called. */
#include <foliot/fatal.h>
#include "arch/arch.h"

void arch_fault_raise(unsigned int reason, const char *cause, uintptr_t pc)
{
	fatal_report(reason, cause, pc, NULL, 0, arch_in_isr());
	k_exit(1);
}
