/* SPDX-License-Identifier: Apache-2.0 */
/* A fault's registers. */
#ifndef FOLIOT_RISCV_FAULT_WORDS_H
#define FOLIOT_RISCV_FAULT_WORDS_H

#include "kernel/base/fatal.h"

/* pc in place of x0, then x1 to x31, filled by trap.S; mcause and mtval. */
#define FAULT_MCAUSE 32
#define FAULT_MTVAL  33

extern uintptr_t riscv_fault_frame[ARCH_FAULT_REGISTERS];

#endif /* FOLIOT_RISCV_FAULT_WORDS_H */
