/* SPDX-License-Identifier: Apache-2.0 */
/* A fault's registers. */
#ifndef FOLIOT_AARCH64_FAULT_WORDS_H
#define FOLIOT_AARCH64_FAULT_WORDS_H

#include "kernel/base/fatal.h"

/* x0 to x30, sp, pc, filled by trap.S; pstate, esr, far. */
extern uintptr_t aarch64_fault_frame[ARCH_FAULT_REGISTERS];

#endif /* FOLIOT_AARCH64_FAULT_WORDS_H */
