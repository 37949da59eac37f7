/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A mailbox of the core's own: a bit that is set there raises its line. See drivers/intc/bcm2836.c.
 */
#include "drivers/soft_irq.h"

void soft_irq_raise(void)
{
	mailbox_raise(BOARD_SOFT_IRQ);
}

void soft_irq_clear(void)
{
	*(volatile uint32_t *)(BOARD_LOCAL_BASE + 0xC0UL + 4UL * (BOARD_SOFT_IRQ - 4)) = UINT32_MAX;
}
