/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a fault was, in words, and its registers; or neither, where there are none
 * (kernel/base/fatal.h).
 */
#ifndef FOLIOT_AARCH64_FAULT_WORDS_H
#define FOLIOT_AARCH64_FAULT_WORDS_H

#include "kernel/base/fatal.h"

struct fault {
	unsigned int reason;
	const char *cause;
	uintptr_t pc;
	enum fatal_where where; /* as far as it is a thread's */
};

/* x0 to x30, sp, pc; filled by trap.S. */
extern uintptr_t aarch64_fault_frame[33];

/*
 * In words, what the core says of it; fatal_report() with all registers. Weak: see FATAL_HAS_WORDS.
 */
__cold void fault_report_words(const struct fault *fault, uint64_t esr) __attribute__((weak));

static inline void fault_report(const struct fault *fault, uint64_t esr)
{
	if (FATAL_HAS_WORDS(fault_report_words)) {
		fault_report_words(fault, esr);
		return;
	}
	fatal_report(fault->reason, fault->cause, fault->pc, NULL, 0, fault->where);
}

#endif /* FOLIOT_AARCH64_FAULT_WORDS_H */
