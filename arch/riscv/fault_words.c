/* SPDX-License-Identifier: Apache-2.0 */
/* What a fault was, in words, and its registers: in the kernel's archive, for fatal_words.c. */
#include "fault_words.h"

const char *arch_fault_words(uintptr_t cause)
{
	static const char *const names[] = {
		[0] = "instruction address misaligned",
		[1] = "instruction access fault",
		[2] = "illegal instruction",
		[3] = "breakpoint",
		[4] = "load address misaligned",
		[5] = "load access fault",
		[6] = "store address misaligned",
		[7] = "store access fault",
		[8] = "ecall from user mode",
		[11] = "ecall",
	};

	return cause < ARRAY_SIZE(names) && names[cause] != NULL ? names[cause] : "unknown";
}

void fault_report_words(const struct fault *fault, uintptr_t mcause, uintptr_t mtval)
{
	static const char *const names[32] = {
		"pc", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
		"a1", "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
		"s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
	};
	struct fault_register regs[ARRAY_SIZE(names) + 2];

	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++) {
		regs[i] = (struct fault_register){names[i], riscv_fault_frame[i]};
	}
	regs[ARRAY_SIZE(names)] = (struct fault_register){"mcause", mcause};
	regs[ARRAY_SIZE(names) + 1] = (struct fault_register){"mtval", mtval};
	fatal_report(fault->reason, fault->cause, fault->pc, regs, ARRAY_SIZE(regs), fault->where);
}
