/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a fault was, in words, and its registers; or neither, where there are none
 * (kernel/base/fatal.h).
 */
#ifndef FOLIOT_X86_64_FAULT_WORDS_H
#define FOLIOT_X86_64_FAULT_WORDS_H

#include "kernel/base/fatal.h"
#include "frames.h"

struct fault {
	unsigned int reason;
	const char *cause;
	uintptr_t pc;
	enum fatal_where where; /* as far as it is a thread's */
};

/* Filled by trap.S. */
extern uintptr_t x86_64_fault_frame[FAULT_WORDS];

/*
 * In words, what vector and error code say; fatal_report() with all registers. Weak: see
 * FATAL_HAS_WORDS.
 */
__cold void fault_report_words(const struct fault *fault) __attribute__((weak));

/* The core's own word: the vector and, above its 8 bits, the error code. */
static inline uintptr_t fault_cause_word(const uintptr_t *registers)
{
	return registers[FAULT_VECTOR] | registers[FAULT_ERROR] << 8;
}

static inline void fault_report(const struct fault *fault)
{
	if (FATAL_HAS_WORDS(fault_report_words)) {
		fault_report_words(fault);
		return;
	}
	fatal_report(fault->reason, fault->cause, fault->pc, NULL, 0, fault->where);
}

#endif /* FOLIOT_X86_64_FAULT_WORDS_H */
