/* SPDX-License-Identifier: Apache-2.0 */
/* NXP's GPT, 32 bits, by the crystal of 24 MHz: counts freely, and compares with the alarm. */
#include <foliot/kernel.h>
#include <board.h>
#include "drivers/timer.h"
#include "drivers/timer/gpt.h"

#define CR GPT(0x00)
#define PR GPT(0x04)
#define SR GPT(0x08)
#define IR GPT(0x0C)

#define CR_ENABLE  1U
#define CR_FROM_0  (1U << 1)
#define CR_CRYSTAL (5U << 6)
#define CR_FREE    (1U << 9)
#define CR_24_MHZ  (1U << 10)
#define COMPARE2   2U /* of SR and IR */

static void alarm_isr(const void *arg)
{
	SR = COMPARE2;
	timer_announce();
}

void timer_init(void)
{
	CR = 0;
	PR = 0;
	CR = CR_CRYSTAL | CR_FREE | CR_24_MHZ | CR_FROM_0;
	SR = 0x3F;
	IR = COMPARE2;
	CR |= CR_ENABLE;
	IRQ_CONNECT(BOARD_TIMER_IRQ, IRQ_PRIO_ALARM, alarm_isr, NULL, 0);
	irq_enable(BOARD_TIMER_IRQ);
}
