/* SPDX-License-Identifier: Apache-2.0 */
/* The stack guard by the MPU (ARMv7-M): its last region, which comes before all others. */
#ifndef FOLIOT_ARCH_GUARD_H
#define FOLIOT_ARCH_GUARD_H

#include <stdint.h>

#define ARCH_GUARD_REGION 7U
#define ARCH_MPU_RBAR     (*(volatile uint32_t *)0xE000ED9C)
#define ARCH_RBAR_VALID   0x10U

void arch_guard_init(void);

/* From `start`, which is aligned to its size. Size and access stay as they were set. */
static inline void arch_guard_move(uintptr_t start)
{
	ARCH_MPU_RBAR = start | ARCH_RBAR_VALID | ARCH_GUARD_REGION;
}

#endif /* FOLIOT_ARCH_GUARD_H */
