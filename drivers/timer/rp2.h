/* SPDX-License-Identifier: Apache-2.0 */
/* The timer of Raspberry Pi's RP2040 and RP2350: what drivers/timer.h wants inline. */
#ifndef FOLIOT_DRIVERS_TIMER_RP2_H
#define FOLIOT_DRIVERS_TIMER_RP2_H

#include <stdint.h>
#include <board.h>

#define RP2_TIMER(n) (*(volatile uint32_t *)(BOARD_TIMER_BASE + (n)))
#define RP2_ALARM0   RP2_TIMER(0x10)

/* It compares for equality: a moment that was missed is made up for by pending the line. */
static inline void timer_alarm(uint32_t cycle)
{
	RP2_ALARM0 = cycle;
	if ((int32_t)(cycle - *(volatile uint32_t *)BOARD_TIMER_COUNT) < 2) {
		*(volatile uint32_t *)0xE000E200 = 1UL << BOARD_TIMER_IRQ; /* NVIC_ISPR */
	}
}

#endif /* FOLIOT_DRIVERS_TIMER_RP2_H */
