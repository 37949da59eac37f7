/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stack guard: on ARMv7-M by the MPU's last region, which comes before all others; on ARMv8-M by
 * the limit of the process stack pointer (PSPLIM), which needs no region. The switch itself sets
 * that (switch.S, handlers.S), as it changes the pointer; until then there is none.
 */
#ifndef FOLIOT_ARCH_GUARD_H
#define FOLIOT_ARCH_GUARD_H

#include <stdint.h>

#define ARCH_GUARD_REGION 7U
#define ARCH_MPU_RBAR     (*(volatile uint32_t *)0xE000ED9C)
#define ARCH_RBAR_VALID   0x10U

#ifdef CONFIG_CORTEX_M_PSPLIM
static inline void arch_guard_init(void)
{
}

static inline void arch_guard_move(uintptr_t start)
{
	__asm__ volatile("msr psplim, %0" ::"r"(0));
}
#else
void arch_guard_init(void);

/* From `start`, which is aligned to its size. Size and access stay as they were set. */
static inline void arch_guard_move(uintptr_t start)
{
	ARCH_MPU_RBAR = start | ARCH_RBAR_VALID | ARCH_GUARD_REGION;
}
#endif

#endif /* FOLIOT_ARCH_GUARD_H */
