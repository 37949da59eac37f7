/* SPDX-License-Identifier: Apache-2.0 */
/* What a fault was, in words, and its registers: in the kernel's archive, for fatal_words.c. */
#include "fault_words.h"
#include "frames.h"
#include <arch_level.h>

/* Kinds of abort: bits 5:2 of the status code; below them is the level of the table. */
#define ABORT_KIND(esr) ((esr) >> 2 & 15U)

enum { ON_A_READ, ON_A_WRITE, ON_A_FETCH };

static const char *abort_cause(uint64_t esr, unsigned int access)
{
	static const char *const names[][3] = {
		[0] = {"address size fault on a read", "address size fault on a write",
		       "address size fault on a fetch"},
		[1] = {"translation fault on a read", "translation fault on a write",
		       "translation fault on a fetch"},
		[2] = {"access flag fault on a read", "access flag fault on a write",
		       "access flag fault on a fetch"},
		[3] = {"permission fault on a read", "permission fault on a write",
		       "permission fault on a fetch"},
		[4] = {"external abort on a read", "external abort on a write",
		       "external abort on a fetch"},
		[8] = {"alignment fault on a read", "alignment fault on a write", NULL},
	};
	unsigned int kind = ABORT_KIND(esr);

	return kind < ARRAY_SIZE(names) && names[kind][access] != NULL ? names[kind][access]
								       : "abort";
}

const char *arch_fault_words(uintptr_t esr)
{
	switch (esr >> ESR_EC_SHIFT) {
	case EC_UNKNOWN:
		return "undefined instruction";
	case EC_FP:
		return "floating point, which is off";
	case EC_BAD_STATE:
		return "illegal execution state";
	case EC_SVC:
		return "supervisor call";
	case EC_SYSREG:
		return "system register, which is trapped";
	case EC_INSN_ABORT_0:
	case EC_INSN_ABORT:
		return abort_cause(esr, ON_A_FETCH);
	case EC_DATA_ABORT_0:
	case EC_DATA_ABORT:
		return abort_cause(esr, (esr >> ESR_WNR_SHIFT & 1U) != 0 ? ON_A_WRITE : ON_A_READ);
	case EC_PC_ALIGNMENT:
		return "pc not aligned";
	case EC_SP_ALIGNMENT:
		return "sp not aligned";
	case EC_SERROR:
		return "system error";
	case EC_BRK:
		return "breakpoint";
	default:
		return "unknown";
	}
}

const char *const arch_fault_names[ARCH_FAULT_REGISTERS] = {
	"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",  "x8",  "x9",     "x10", "x11",
	"x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21",    "x22", "x23",
	"x24", "x25", "x26", "x27", "x28", "x29", "x30", "sp",  "pc",  "pstate", "esr", "far",
};
