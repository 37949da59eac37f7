/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timer of Raspberry Pi's RP2040 and RP2350: counts microseconds, of which the kernel takes the
 * lower 32 bits. That it goes on counting while a debugger has stopped a core is no more than a
 * reset away from what is usual: what the kernel wants is a clock that never stands.
 */
#include <foliot/kernel.h>
#include <board.h>
#include "drivers/timer.h"
#include "drivers/timer/rp2.h"

#define DBGPAUSE RP2_TIMER(0x2C)
#define ARMED    RP2_TIMER(0x20)
#define INTR     RP2_TIMER(BOARD_TIMER_INTR)
#define INTE     RP2_TIMER(BOARD_TIMER_INTR + 4)
#define ALARM0   1U

static void alarm_isr(const void *arg)
{
	INTR = ALARM0;
	timer_announce();
}

void timer_init(void)
{
	DBGPAUSE = 0;
	ARMED = ALARM0; /* what an earlier program left: disarmed */
	INTR = ALARM0;
	INTE = ALARM0;
	IRQ_CONNECT(BOARD_TIMER_IRQ, IRQ_PRIO_ALARM, alarm_isr, NULL, 0);
	irq_enable(BOARD_TIMER_IRQ);
}
