/* SPDX-License-Identifier: Apache-2.0 */
/* A line of the NVIC that no device drives. */
#include <stdint.h>
#include <board.h>
#include "drivers/soft_irq.h"

#define NVIC_ISPR ((volatile uint32_t *)0xE000E200)
#define NVIC_ICPR ((volatile uint32_t *)0xE000E280)
#define BIT_      (1UL << (BOARD_SOFT_IRQ % 32))

void soft_irq_raise(void)
{
	NVIC_ISPR[BOARD_SOFT_IRQ / 32] = BIT_;
	__asm__ volatile("dsb\n\tisb" ::: "memory");
}

void soft_irq_clear(void)
{
	NVIC_ICPR[BOARD_SOFT_IRQ / 32] = BIT_;
}
