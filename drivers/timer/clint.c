/* SPDX-License-Identifier: Apache-2.0 */
/* The CLINT's machine timer: 64-bit counter and compare register. */
#include <foliot/kernel.h>
#include <board.h>
#include "drivers/timer.h"
#include "drivers/timer/clint.h"

static void timer_isr(const void *arg)
{
	MTIMECMP_HIGH = UINT32_MAX; /* lowers the line: interrupts are let in below */
	timer_announce();
}

void timer_init(void)
{
	MTIMECMP_HIGH = UINT32_MAX;
	IRQ_CONNECT(BOARD_TIMER_IRQ, 0, timer_isr, NULL, 0);
	irq_enable(BOARD_TIMER_IRQ);
}
