/* SPDX-License-Identifier: Apache-2.0 */
/* Switching the guard region on, of no place yet. All else keeps the default memory map. */
#include <arch_guard.h>
#include <stdint.h>
#include "frames.h"

#define MPU_CTRL (*(volatile uint32_t *)0xE000ED94)
#define MPU_RASR (*(volatile uint32_t *)0xE000EDA0)

#define CTRL_ENABLE     1U
#define CTRL_PRIVDEFENA 4U
#define NOWHERE         0xFFFFF000U /* the end of what is the chip's vendor's; whatever the size */
#define RASR_ENABLE     1U
#define RASR_SIZE       ((31U - __builtin_clz(CONFIG_STACK_GUARD_SIZE) - 1U) << 1) /* 2^(n+1) */
#define RASR_READ_ONLY  (5U << 24) /* privileged code reads it, a report looks there */
#define RASR_NO_EXECUTE (1U << 28)

void arch_guard_init(void)
{
	*(volatile uint32_t *)MPU_RBAR = NOWHERE | RBAR_OF_GUARD;
	MPU_RASR = RASR_ENABLE | RASR_SIZE | RASR_READ_ONLY | RASR_NO_EXECUTE;
	MPU_CTRL = CTRL_ENABLE | CTRL_PRIVDEFENA;
	__asm__ volatile("dsb\n\tisb" ::: "memory");
}
