/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stack guard by the PMP. A region binds machine mode only when it is locked, and a
 * locked one cannot be moved, unless mseccfg.RLB says so (Smepmp): boards whose core has
 * that say so in their Kconfig (RISCV_SMEPMP), the others have the sentinel.
 */
#ifndef FOLIOT_ARCH_GUARD_H
#define FOLIOT_ARCH_GUARD_H

#include <stdint.h>

/* The address bits that say how large a naturally aligned region is. */
#define ARCH_GUARD_NAPOT (CONFIG_STACK_GUARD_SIZE / 8 - 1)

void arch_guard_init(void);

/* Region 0, which comes before all others, from `start`, which is aligned to its size. */
static inline void arch_guard_move(uintptr_t start)
{
	__asm__ volatile("csrw pmpaddr0, %0" ::"r"((start >> 2) | ARCH_GUARD_NAPOT) : "memory");
#ifdef CONFIG_RISCV_PMP_REWRITE
	__asm__ volatile("csrsi pmpcfg0, 1" ::: "memory");
#endif
}

#endif /* FOLIOT_ARCH_GUARD_H */
