/* SPDX-License-Identifier: Apache-2.0 */
/* The CLINT's machine timer: 64-bit counter and compare register. */
#include <foliot/kernel.h>
#include <board.h>
#include "drivers/timer.h"

#define MTIME_LOW     (*(volatile uint32_t *)BOARD_MTIME)
#define MTIME_HIGH    (*(volatile uint32_t *)(BOARD_MTIME + 4))
#define MTIMECMP_LOW  (*(volatile uint32_t *)BOARD_MTIMECMP)
#define MTIMECMP_HIGH (*(volatile uint32_t *)(BOARD_MTIMECMP + 4))

static void timer_isr(const void *arg)
{
	MTIMECMP_HIGH = UINT32_MAX; /* lowers the line: interrupts are let in below */
	timer_announce();
}

/*
 * If the counter's low half wraps between the two reads, the alarm comes too early by a
 * whole wrap: at once, which it may. That spares a loop.
 */
void timer_alarm(uint32_t cycle)
{
	uint32_t high = MTIME_HIGH;
	uint32_t low = MTIME_LOW;
	int32_t ahead = (int32_t)(cycle - low);
	uint32_t at = ahead > 0 ? cycle : low;

	MTIMECMP_HIGH = UINT32_MAX; /* never in between */
	MTIMECMP_LOW = at;
	MTIMECMP_HIGH = at < low ? high + 1U : high;
}

void timer_init(void)
{
	MTIMECMP_HIGH = UINT32_MAX;
	IRQ_CONNECT(BOARD_TIMER_IRQ, 0, timer_isr, NULL, 0);
	irq_enable(BOARD_TIMER_IRQ);
}
