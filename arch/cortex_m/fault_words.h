/* SPDX-License-Identifier: Apache-2.0 */
/* What a fault was, in words, and its registers; or neither, without CONFIG_FAULT_REPORT. */
#ifndef FOLIOT_CORTEX_M_FAULT_WORDS_H
#define FOLIOT_CORTEX_M_FAULT_WORDS_H

#include "kernel/core/kernel.h"

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

#ifdef CONFIG_FAULT_REPORT
/* In words, what the bits of CFSR say. */
__cold const char *fault_cause(uint32_t cfsr);

/* fatal_report() with all registers; `frame` is the core's. */
__cold void fault_report(const struct fault *fault, const struct fault_found *found,
			 const uint32_t *frame);
#else
static inline const char *fault_cause(uint32_t cfsr)
{
	return "";
}

static inline void fault_report(const struct fault *fault, const struct fault_found *found,
				const uint32_t *frame)
{
	fatal_report(fault->reason, fault->cause, fault->pc, NULL, 0, fault->where);
}
#endif

#endif /* FOLIOT_CORTEX_M_FAULT_WORDS_H */
