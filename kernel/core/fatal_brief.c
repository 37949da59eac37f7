/* SPDX-License-Identifier: Apache-2.0 */
/* A fatal error in one line: its number, as enum k_fatal_error_reason has it, and where. */
#include "kernel/core/fatal.h"

void fatal_print(unsigned int reason, const char *cause, uintptr_t pc,
		 const struct fault_register *regs, unsigned int num_regs, bool in_isr)
{
	char text[] = "\n*** FATAL 0 0x";

	text[11] = (char)('0' + reason);
	fatal_print_pc(text, pc);
}
