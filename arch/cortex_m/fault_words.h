/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a fault was, in words, and its registers; or neither, where there are none
 * (kernel/base/fatal.h).
 */
#ifndef FOLIOT_CORTEX_M_FAULT_WORDS_H
#define FOLIOT_CORTEX_M_FAULT_WORDS_H

#include "kernel/base/fatal.h"

struct fault {
	unsigned int reason;
	const char *cause;
	uintptr_t pc;
	enum fatal_where where; /* as far as it is a thread's */
};

/* What handlers.S pushed: the registers as the handler found them. */
struct fault_found {
	uint32_t r[13];
	uint32_t exc_return;
};

/*
 * In words, what the core says of it; fatal_report() with all registers. `frame` is
 * the core's, or found->r where that is lost. Weak: see FATAL_HAS_WORDS.
 */
__cold void fault_report_words(const struct fault *fault, const struct fault_found *found,
			       const uint32_t *frame) __attribute__((weak));

static inline void fault_report(const struct fault *fault, const struct fault_found *found,
				const uint32_t *frame)
{
	if (FATAL_HAS_WORDS(fault_report_words)) {
		fault_report_words(fault, found, frame);
		return;
	}
	fatal_report(fault->reason, fault->cause, fault->pc, NULL, 0, fault->where);
}

#endif /* FOLIOT_CORTEX_M_FAULT_WORDS_H */
