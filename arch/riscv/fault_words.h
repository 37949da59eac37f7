/* SPDX-License-Identifier: Apache-2.0 */
/* What a fault was, in words, and its registers; or neither, without CONFIG_FAULT_REPORT. */
#ifndef FOLIOT_RISCV_FAULT_WORDS_H
#define FOLIOT_RISCV_FAULT_WORDS_H

#include "kernel/core/kernel.h"

struct fault {
	unsigned int reason;
	const char *cause;
	uintptr_t pc;
	enum fatal_where where; /* as far as it is a thread's */
};

/* pc in place of x0, then x1 to x31; filled by trap.S. */
extern uintptr_t riscv_fault_frame[32];

#ifdef CONFIG_FAULT_REPORT
/* In words, what mcause says. */
__cold const char *fault_cause(uintptr_t cause);

/* fatal_report() with all registers. */
__cold void fault_report(const struct fault *fault, uintptr_t mcause, uintptr_t mtval);
#else
static inline const char *fault_cause(uintptr_t cause)
{
	return "";
}

static inline void fault_report(const struct fault *fault, uintptr_t mcause, uintptr_t mtval)
{
	fatal_report(fault->reason, fault->cause, fault->pc, NULL, 0, fault->where);
}
#endif

#endif /* FOLIOT_RISCV_FAULT_WORDS_H */
