/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A timer of ST's STM32 that counts freely, and SysTick for the alarm (systick_alarm.h). SysTick's
 * exception is none of the lines that handlers, priorities and traces are for; so it raises one
 * that no device has, and that is the alarm.
 */
#include <foliot/kernel.h>
#include "drivers/timer.h"
#include "drivers/timer/stm32_registers.h"

BUILD_ASSERT(BOARD_SYSTICK_HZ % 1000000 == 0 && BOARD_TIMER_HZ % 1000000 == 0 &&
		     0xFFFFFFULL * SYST_COUNTER_MHZ <= UINT32_MAX,
	     "timer_alarm()");

/* In the place of the weak one in arch/cortex_m/vectors.inc; calls nobody. */
void systick_handler(void);

void systick_handler(void)
{
	SYST_CSR = SYST_COUNTS;
	((volatile uint32_t *)0xE000E200)[BOARD_ALARM_IRQ / 32] = 1UL << BOARD_ALARM_IRQ % 32;
}

static void alarm_isr(const void *arg)
{
	timer_announce();
}

void timer_init(void)
{
	stm32_timer_start(BOARD_TIMER_BASE, BOARD_TIMER_PRESCALER);
	IRQ_CONNECT(BOARD_ALARM_IRQ, IRQ_PRIO_ALARM, alarm_isr, NULL, 0);
	irq_enable(BOARD_ALARM_IRQ);
}
