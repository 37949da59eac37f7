/* SPDX-License-Identifier: Apache-2.0 */
/* The software-raised fast interrupt of Foliot's SoC. */
#include <stdint.h>
#include <board.h>
#include "drivers/soft_irq.h"

void soft_irq_raise(void)
{
	*(volatile uint32_t *)BOARD_SOFT_SET = 1;
}

void soft_irq_clear(void)
{
	*(volatile uint32_t *)BOARD_SOFT_CLEAR = 1;
}
