/* SPDX-License-Identifier: Apache-2.0 */
/* NXP's GPT, a timer that counts freely and compares: timer_alarm() of drivers/timer.h. */
#ifndef FOLIOT_DRIVERS_TIMER_GPT_H
#define FOLIOT_DRIVERS_TIMER_GPT_H

#include <stdint.h>
#include <board.h>

#define GPT(n)   (*(volatile uint32_t *)(BOARD_TIMER_BASE + (n)))
#define GPT_OCR2 GPT(0x14)
#define GPT_CNT  GPT(0x24)

/* It compares for equality: a moment that was missed is made up for by pending the line. */
static inline void timer_alarm(uint32_t cycle)
{
	GPT_OCR2 = cycle;
	if ((int32_t)(cycle - GPT_CNT) < 2) {
		((volatile uint32_t *)0xE000E200)[BOARD_TIMER_IRQ / 32] = 1UL
									  << BOARD_TIMER_IRQ % 32;
	}
}

#endif /* FOLIOT_DRIVERS_TIMER_GPT_H */
