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

uint32_t timer_cycles(void)
{
	return MTIME_LOW;
}

static uint64_t timer_cycles_64(void)
{
	uint32_t high;
	uint32_t low;

	do { /* Bound: two rounds; low wraps once in 2^32 cycles. */
		high = MTIME_HIGH;
		low = MTIME_LOW;
	} while (high != MTIME_HIGH);
	return ((uint64_t)high << 32) | low;
}

void timer_alarm(uint32_t cycle)
{
	uint64_t now = timer_cycles_64();
	int32_t ahead = (int32_t)(cycle - (uint32_t)now);
	uint64_t at = now + (ahead > 0 ? (uint32_t)ahead : 0U);

	MTIMECMP_HIGH = UINT32_MAX; /* never in between */
	MTIMECMP_LOW = (uint32_t)at;
	MTIMECMP_HIGH = (uint32_t)(at >> 32);
}

void timer_init(void)
{
	MTIMECMP_HIGH = UINT32_MAX;
	IRQ_CONNECT(BOARD_TIMER_IRQ, 0, timer_isr, NULL, 0);
	irq_enable(BOARD_TIMER_IRQ);
}
