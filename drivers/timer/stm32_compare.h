/* SPDX-License-Identifier: Apache-2.0 */
/* One timer of ST's STM32 that counts and compares: timer_alarm() of drivers/timer.h. */
#ifndef FOLIOT_DRIVERS_TIMER_STM32_COMPARE_H
#define FOLIOT_DRIVERS_TIMER_STM32_COMPARE_H

#include <board.h>
#include "drivers/timer/stm32_registers.h"

/* It compares for equality: a moment that was missed is made up for by pending the line. */
static inline void timer_alarm(uint32_t cycle)
{
	STM32_CCR1(BOARD_TIMER_BASE) = cycle;
	if ((int32_t)(cycle - STM32_CNT(BOARD_TIMER_BASE)) < 2) {
		*(volatile uint32_t *)0xE000E200 = 1UL << BOARD_TIMER_IRQ; /* NVIC_ISPR */
	}
}

#endif /* FOLIOT_DRIVERS_TIMER_STM32_COMPARE_H */
