/* SPDX-License-Identifier: Apache-2.0 */
/* A line that a local APIC's core raises by a command to itself. */
#include "drivers/soft_irq.h"

void soft_irq_raise(void)
{
	lapic_raise(BOARD_SOFT_IRQ);
}

/* Taken down as it is taken. */
void soft_irq_clear(void)
{
}
