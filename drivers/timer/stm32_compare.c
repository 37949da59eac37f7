/* SPDX-License-Identifier: Apache-2.0 */
/* A timer of ST's STM32, 32 bits: counts freely, and compares with the alarm. */
#include <foliot/kernel.h>
#include <board.h>
#include "drivers/timer.h"
#include "drivers/timer/stm32_compare.h"

static void alarm_isr(const void *arg)
{
	STM32_SR(BOARD_TIMER_BASE) = ~STM32_COMPARE1;
	timer_announce();
}

void timer_init(void)
{
	stm32_timer_start(BOARD_TIMER_BASE, BOARD_TIMER_PRESCALER);
	STM32_DIER(BOARD_TIMER_BASE) = STM32_COMPARE1;
	IRQ_CONNECT(BOARD_TIMER_IRQ, IRQ_PRIO_ALARM, alarm_isr, NULL, 0);
	irq_enable(BOARD_TIMER_IRQ);
}
