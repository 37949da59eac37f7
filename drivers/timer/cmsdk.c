/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two timers of Arm's Cortex-M System Design Kit, both counting down: one freely, the
 * other to the next alarm.
 */
#include <foliot/kernel.h>
#include <board.h>
#include "drivers/timer.h"
#include "drivers/timer/cmsdk.h"

#define CTRL_ENABLE 1U
#define CTRL_IRQ    8U

/* Far away: at the end of its count it starts anew, and would come again. */
static void alarm_isr(const void *arg)
{
	RELOAD(BOARD_ALARM_BASE) = UINT32_MAX;
	INTCLR(BOARD_ALARM_BASE) = 1;
	timer_announce();
}

void timer_init(void)
{
	RELOAD(BOARD_TIMER_BASE) = UINT32_MAX;
	CTRL(BOARD_TIMER_BASE) = CTRL_ENABLE;
	RELOAD(BOARD_ALARM_BASE) = UINT32_MAX;
	CTRL(BOARD_ALARM_BASE) = CTRL_ENABLE | CTRL_IRQ;
	IRQ_CONNECT(BOARD_ALARM_IRQ, IRQ_PRIO_ALARM, alarm_isr, NULL, 0);
	irq_enable(BOARD_ALARM_IRQ);
}
