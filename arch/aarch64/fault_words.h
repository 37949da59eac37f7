/* SPDX-License-Identifier: Apache-2.0 */
/* What a fault was, in words, and its registers; or neither, without CONFIG_FAULT_REPORT. */
#ifndef FOLIOT_AARCH64_FAULT_WORDS_H
#define FOLIOT_AARCH64_FAULT_WORDS_H

#include "kernel/core/kernel.h"

struct fault {
	unsigned int reason;
	const char *cause;
	uintptr_t pc;
	enum fatal_where where; /* as far as it is a thread's */
};

/* x0 to x30, sp, pc; filled by trap.S. */
extern uintptr_t aarch64_fault_frame[33];

#ifdef CONFIG_FAULT_REPORT
/* In words, what ESR_EL1 says. */
const char *fault_cause(uint64_t esr);

/* fatal_report() with all registers. */
void fault_report(const struct fault *fault, uint64_t esr);
#else
static inline const char *fault_cause(uint64_t esr)
{
	return "";
}

static inline void fault_report(const struct fault *fault, uint64_t esr)
{
	fatal_report(fault->reason, fault->cause, fault->pc, NULL, 0, fault->where);
}
#endif

#endif /* FOLIOT_AARCH64_FAULT_WORDS_H */
