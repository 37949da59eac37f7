/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A line of the GIC that no device drives. Rejected: software-generated interrupts, which a GIC
 * may be unable to disable (QEMU's is).
 */
#include "drivers/soft_irq.h"

#define BIT_ (1U << (BOARD_SOFT_IRQ % 32))

void soft_irq_raise(void)
{
	*(volatile uint32_t *)(BOARD_GICD_BASE + 0x200 + BOARD_SOFT_IRQ / 32 * 4) = BIT_;
	__asm__ volatile("dsb sy\n\tisb" ::: "memory");
}

void soft_irq_clear(void)
{
	*(volatile uint32_t *)(BOARD_GICD_BASE + 0x280 + BOARD_SOFT_IRQ / 32 * 4) = BIT_;
}
