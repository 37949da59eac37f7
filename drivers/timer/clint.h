/* SPDX-License-Identifier: Apache-2.0 */
/* The CLINT's machine timer: its registers, and timer_alarm() of drivers/timer.h. */
#ifndef FOLIOT_DRIVERS_TIMER_CLINT_H
#define FOLIOT_DRIVERS_TIMER_CLINT_H

#include <stdint.h>
#include <board.h>

#define MTIME_LOW     (*(volatile uint32_t *)BOARD_MTIME)
#define MTIME_HIGH    (*(volatile uint32_t *)(BOARD_MTIME + 4))
#define MTIMECMP_LOW  (*(volatile uint32_t *)BOARD_MTIMECMP)
#define MTIMECMP_HIGH (*(volatile uint32_t *)(BOARD_MTIMECMP + 4))

/*
 * If the counter's low half wraps between the two reads, the alarm comes too early by a
 * whole wrap: at once, which it may. That spares a loop. Between the two stores the line may
 * go up and down again: interrupts are masked.
 */
static inline void timer_alarm(uint32_t cycle)
{
	uint32_t high = MTIME_HIGH;
	uint32_t low = MTIME_LOW;
	int32_t ahead = (int32_t)(cycle - low);
	uint32_t at = ahead > 0 ? cycle : low;
	volatile uint32_t *compare = &MTIMECMP_LOW;

	__asm__("" : "+r"(compare)); /* or its upper half is loaded for each of the stores */
	compare[0] = at;
	compare[1] = at < low ? high + 1U : high;
}

#endif /* FOLIOT_DRIVERS_TIMER_CLINT_H */
