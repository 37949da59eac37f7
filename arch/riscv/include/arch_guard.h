/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stack guard by the PMP. A region binds machine mode only when it is locked, and a
 * locked one cannot be moved, unless mseccfg.RLB says so (Smepmp): boards whose core has
 * that say so in their Kconfig (RISCV_SMEPMP), the others have the sentinel.
 */
#ifndef FOLIOT_ARCH_GUARD_H
#define FOLIOT_ARCH_GUARD_H

/* Region 0, which comes before all others; arch_switch() moves it (guard.inc). */
void arch_guard_init(void);

/* Without MML what machine mode may read in a locked region user mode may read, too (pmp.c). */
#if defined(CONFIG_USERSPACE) && !defined(CONFIG_RISCV_PMP_MML)
#define ARCH_GUARD_IS_HIDDEN
#endif

#endif /* FOLIOT_ARCH_GUARD_H */
