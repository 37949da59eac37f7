/* SPDX-License-Identifier: Apache-2.0 */
/* What a fault was, in words, and its registers; or neither, without CONFIG_FAULT_REPORT. */
#ifndef FOLIOT_X86_64_FAULT_WORDS_H
#define FOLIOT_X86_64_FAULT_WORDS_H

#include "kernel/core/kernel.h"
#include "offsets.h"

struct fault {
	unsigned int reason;
	const char *cause;
	uintptr_t pc;
	enum fatal_where where; /* as far as it is a thread's */
};

/* Filled by trap.S. */
extern uintptr_t x86_64_fault_frame[FAULT_WORDS];

#ifdef CONFIG_FAULT_REPORT
/* In words, what the vector and its error code say. */
const char *fault_cause(void);

/* fatal_report() with all registers. */
void fault_report(const struct fault *fault);
#else
static inline const char *fault_cause(void)
{
	return "";
}

static inline void fault_report(const struct fault *fault)
{
	fatal_report(fault->reason, fault->cause, fault->pc, NULL, 0, fault->where);
}
#endif

#endif /* FOLIOT_X86_64_FAULT_WORDS_H */
