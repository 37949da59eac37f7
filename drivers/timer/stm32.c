/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two timers of ST's STM32: one counts freely, the other to the next alarm. (One would do on the
 * chips, by its compare register: stm32_compare.c, for those that have one of 32 bits only. QEMU's
 * compare nothing, and come late at their end: what runs there tells no time.)
 */
#include <foliot/kernel.h>
#include <board.h>
#include "drivers/timer.h"
#include "drivers/timer/stm32.h"

/* Far away: at its end it starts anew, and would come again. */
static void alarm_isr(const void *arg)
{
	STM32_ARR(BOARD_ALARM_BASE) = UINT32_MAX;
	STM32_SR(BOARD_ALARM_BASE) = ~STM32_UPDATE;
	timer_announce();
}

void timer_init(void)
{
	stm32_timer_start(BOARD_TIMER_BASE, BOARD_TIMER_PRESCALER);
	stm32_timer_start(BOARD_ALARM_BASE, BOARD_TIMER_PRESCALER);
	STM32_DIER(BOARD_ALARM_BASE) = STM32_UPDATE;
	IRQ_CONNECT(BOARD_ALARM_IRQ, IRQ_PRIO_ALARM, alarm_isr, NULL, 0);
	irq_enable(BOARD_ALARM_IRQ);
}
