/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a fault was, in words, and its registers; or neither, where there are none
 * (kernel/base/fatal.h).
 */
#ifndef FOLIOT_RISCV_FAULT_WORDS_H
#define FOLIOT_RISCV_FAULT_WORDS_H

#include "kernel/base/fatal.h"

struct fault {
	unsigned int reason;
	const char *cause;
	uintptr_t pc;
	enum fatal_where where; /* as far as it is a thread's */
};

/* pc in place of x0, then x1 to x31; filled by trap.S. */
extern uintptr_t riscv_fault_frame[32];

/*
 * In words, what the core says of it; fatal_report() with all registers. Weak: see FATAL_HAS_WORDS.
 */
__cold void fault_report_words(const struct fault *fault, uintptr_t mcause, uintptr_t mtval)
	__attribute__((weak));

static inline void fault_report(const struct fault *fault, uintptr_t mcause, uintptr_t mtval)
{
	if (FATAL_HAS_WORDS(fault_report_words)) {
		fault_report_words(fault, mcause, mtval);
		return;
	}
	fatal_report(fault->reason, fault->cause, fault->pc, NULL, 0, fault->where);
}

#endif /* FOLIOT_RISCV_FAULT_WORDS_H */
