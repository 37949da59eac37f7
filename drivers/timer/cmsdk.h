/* SPDX-License-Identifier: Apache-2.0 */
/* The timers of Arm's CMSDK: their registers, and timer_alarm() of drivers/timer.h. */
#ifndef FOLIOT_DRIVERS_TIMER_CMSDK_H
#define FOLIOT_DRIVERS_TIMER_CMSDK_H

#include <stdint.h>
#include <board.h>

#define CMSDK_REG(base, n) (*(volatile uint32_t *)((base) + (n)))
#define CTRL(base)         CMSDK_REG(base, 0x00)
#define VALUE(base)        CMSDK_REG(base, 0x04)
#define RELOAD(base)       CMSDK_REG(base, 0x08)
#define INTCLR(base)       CMSDK_REG(base, 0x0c)

/* Writing the reload value sets the count to it, too. The free one counts down. */
static inline void timer_alarm(uint32_t cycle)
{
	int32_t ahead = (int32_t)(cycle + VALUE(BOARD_TIMER_BASE) + 1U);

	RELOAD(BOARD_ALARM_BASE) = ahead > 0 ? (uint32_t)ahead : 1U;
}

#endif /* FOLIOT_DRIVERS_TIMER_CMSDK_H */
