/* SPDX-License-Identifier: Apache-2.0 */
/* What a fault was, in words, and its registers: in the kernel's archive, for fatal_words.c. */
#include "fault_words.h"
#include "tables.h"

static const char *page_cause(uintptr_t error)
{
	if ((error & PAGE_RESERVED) != 0) {
		return "page fault: reserved bits in a table";
	}
	if ((error & PAGE_PRESENT) == 0) {
		return (error & PAGE_FETCH) != 0   ? "page not present on a fetch"
		       : (error & PAGE_WRITE) != 0 ? "page not present on a write"
						   : "page not present on a read";
	}
	return (error & PAGE_FETCH) != 0   ? "page protection on a fetch"
	       : (error & PAGE_WRITE) != 0 ? "page protection on a write"
					   : "page protection on a read";
}

const char *arch_fault_words(uintptr_t cause)
{
	uintptr_t vector = cause & 0xFFU;
	static const char *const names[VECTOR_EXCEPTIONS] = {
		[0] = "division error",
		[1] = "debug exception",
		[VECTOR_NMI] = "non-maskable interrupt",
		[3] = "breakpoint",
		[4] = "overflow",
		[5] = "out of bounds",
		[VECTOR_UNDEFINED] = "undefined instruction",
		[7] = "floating point, which is off",
		[VECTOR_DOUBLE_FAULT] = "double fault",
		[10] = "invalid task state",
		[11] = "segment or gate not present",
		[VECTOR_STACK] = "stack fault: an address that is none",
		[VECTOR_PROTECTION] =
			"general protection: an address that is none, or what is not allowed",
		[16] = "floating point error",
		[17] = "alignment check",
		[18] = "machine check",
		[19] = "floating point error (SSE)",
		[21] = "control protection",
	};

	if (vector == VECTOR_PAGE) {
		return page_cause(cause >> 8);
	}
	return vector < ARRAY_SIZE(names) && names[vector] != NULL ? names[vector] : "unknown";
}

BUILD_ASSERT(ARCH_FAULT_REGISTERS == FAULT_WORDS, "frames.h");

const char *const arch_fault_names[ARCH_FAULT_REGISTERS] = {
	"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp",    "rsp", "r8",    "r9",     "r10",
	"r11", "r12", "r13", "r14", "r15", "rip", "rflags", "cr2", "error", "vector", "cs",
};
