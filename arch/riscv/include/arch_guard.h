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

#endif /* FOLIOT_ARCH_GUARD_H */
