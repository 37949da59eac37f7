/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stack guard: on ARMv7-M by the MPU's last region, which comes before all others; on ARMv8-M
 * by the limit of the process stack pointer (PSPLIM), which needs no region. The switch itself
 * moves either (guard.inc), as it changes the pointer; until then there is none.
 */
#ifndef FOLIOT_ARCH_GUARD_H
#define FOLIOT_ARCH_GUARD_H

#ifdef CONFIG_CORTEX_M_PSPLIM
static inline void arch_guard_init(void)
{
	__asm__ volatile("msr psplim, %0" ::"r"(0));
}
#else
void arch_guard_init(void);
#endif

#endif /* FOLIOT_ARCH_GUARD_H */
