/* SPDX-License-Identifier: Apache-2.0 */
/* The timer of Nordic's nRF51 and nRF52: its registers, and what drivers/timer.h wants inline. */
#ifndef FOLIOT_DRIVERS_TIMER_NRF_H
#define FOLIOT_DRIVERS_TIMER_NRF_H

#include <stdint.h>
#include <board.h>

#define NRF_TIMER(n)         (*(volatile uint32_t *)(BOARD_TIMER_BASE + (n)))
#define NRF_TASKS_CAPTURE(i) NRF_TIMER(0x040 + 4 * (i))
#define NRF_EVENTS_COMPARE0  NRF_TIMER(0x140)
#define NRF_CC(i)            NRF_TIMER(0x540 + 4 * (i))

/* CC[0] is the alarm's, CC[2] arch_cycles()'s. A handler may come in between, and read later. */
static inline uint32_t timer_cycles(void)
{
	NRF_TASKS_CAPTURE(1) = 1;
	return NRF_CC(1);
}

/*
 * It compares for equality: a moment that was missed is made up for by pending the line. What is
 * left of an earlier alarm may come early.
 */
static inline void timer_alarm(uint32_t cycle)
{
	NRF_CC(0) = cycle;
	if ((int32_t)(cycle - timer_cycles()) < 2) {
		*(volatile uint32_t *)0xE000E200 = 1UL << BOARD_TIMER_IRQ; /* NVIC_ISPR */
	}
}

#endif /* FOLIOT_DRIVERS_TIMER_NRF_H */
