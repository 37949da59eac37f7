/* SPDX-License-Identifier: Apache-2.0 */
/* A fault's registers. */
#ifndef FOLIOT_CORTEX_M_FAULT_WORDS_H
#define FOLIOT_CORTEX_M_FAULT_WORDS_H

#include "kernel/base/fatal.h"

/* What handlers.S pushed: the registers as the handler found them. */
struct fault_found {
	uint32_t r[13];
	uint32_t exc_return;
};

/*
 * As arch_fault_names[] has them. `frame`: the core's, or found->r where that is lost. Weak: see
 * FATAL_HAS_WORDS.
 */
__cold void fault_find_registers(uintptr_t *to, const struct fault *fault,
				 const struct fault_found *found, const uint32_t *frame)
	__attribute__((weak));

#endif /* FOLIOT_CORTEX_M_FAULT_WORDS_H */
