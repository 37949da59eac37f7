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

const char *const arch_fault_names[ARCH_FAULT_REGISTERS] = {
	"pc", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2", "s0",     "s1",    "a0", "a1",
	"a2", "a3", "a4",  "a5",  "a6", "a7", "s2", "s3", "s4",     "s5",    "s6", "s7",
	"s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6", "mcause", "mtval",
};
