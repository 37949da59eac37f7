/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The local APIC's timer, one shot. Beside it the HPET is set counting, which the kernel leaves
 * alone: whoever looks at the machine from outside reads the time there (board.toml).
 */
#include <foliot/kernel.h>
#include <board.h>
#include "drivers/timer.h"

#define LAPIC(n)      (*(volatile uint32_t *)(BOARD_LAPIC_BASE + (n)))
#define TIMER_DIVIDE  0x3E0UL
#define DIVIDE_BY_ONE 0x0BU

#define HPET_CONFIGURATION (*(volatile uint32_t *)(BOARD_HPET_BASE + 0x10UL))
#define HPET_ENABLE        1U

/* One shot: nothing is to be lowered. */
static void timer_isr(const void *arg)
{
	timer_announce();
}

void timer_init(void)
{
	HPET_CONFIGURATION = HPET_ENABLE;
	LAPIC(TIMER_DIVIDE) = DIVIDE_BY_ONE;
	IRQ_CONNECT(BOARD_TIMER_IRQ, IRQ_PRIO_ALARM, timer_isr, NULL, 0);
	irq_enable(BOARD_TIMER_IRQ);
}
