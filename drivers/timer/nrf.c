/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A timer of Nordic's nRF51 and nRF52, 32 bits at 16 MHz: counts freely, and compares with the
 * alarm.
 */
#include <foliot/kernel.h>
#include <board.h>
#include "drivers/timer.h"
#include "drivers/timer/nrf.h"

#define TASKS_START NRF_TIMER(0x000)
#define TASKS_CLEAR NRF_TIMER(0x00C)
#define INTENSET    NRF_TIMER(0x304)
#define MODE        NRF_TIMER(0x504)
#define BITMODE     NRF_TIMER(0x508)
#define PRESCALER   NRF_TIMER(0x510)

#define MODE_TIMER   0U
#define BITMODE_32   3U
#define INT_COMPARE0 (1UL << 16)

static void alarm_isr(const void *arg)
{
	NRF_EVENTS_COMPARE0 = 0;
	timer_announce();
}

void timer_init(void)
{
	MODE = MODE_TIMER;
	BITMODE = BITMODE_32;
	PRESCALER = 0;
	TASKS_CLEAR = 1;
	TASKS_START = 1;
	INTENSET = INT_COMPARE0;
	IRQ_CONNECT(BOARD_TIMER_IRQ, IRQ_PRIO_ALARM, alarm_isr, NULL, 0);
	irq_enable(BOARD_TIMER_IRQ);
}
