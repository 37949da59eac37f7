/* SPDX-License-Identifier: Apache-2.0 */
/* A fault's registers. */
#ifndef FOLIOT_X86_64_FAULT_WORDS_H
#define FOLIOT_X86_64_FAULT_WORDS_H

#include "kernel/base/fatal.h"
#include "frames.h"

/* Filled by trap.S. */
extern uintptr_t x86_64_fault_frame[ARCH_FAULT_REGISTERS];

/* The core's own word: the vector and, above its 8 bits, the error code. */
static inline uintptr_t fault_cause_word(const uintptr_t *registers)
{
	return registers[FAULT_VECTOR] | registers[FAULT_ERROR] << 8;
}

#endif /* FOLIOT_X86_64_FAULT_WORDS_H */
