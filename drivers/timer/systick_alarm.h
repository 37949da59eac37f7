/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A counter of a chip's, and the core's SysTick for the alarm: timer_alarm() of drivers/timer.h.
 * For chips, or emulators of them, whose own timers have no alarm that comes in time.
 */
#ifndef FOLIOT_DRIVERS_TIMER_SYSTICK_ALARM_H
#define FOLIOT_DRIVERS_TIMER_SYSTICK_ALARM_H

#include <stdint.h>
#include <foliot/util.h>
#include <board.h>

#define SYST_CSR (*(volatile uint32_t *)0xE000E010)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018)

#define SYST_COUNTS 1U /* by its reference clock, which is slower than the core's */
#define SYST_ALARMS 3U /* and raises its exception at the end */

/* Their rates, and how many of the counter SysTick's 24 bits take. */
#define SYST_MHZ         (BOARD_SYSTICK_HZ / 1000000)
#define SYST_COUNTER_MHZ (BOARD_TIMER_HZ / 1000000)
#define SYST_AHEAD_LIMIT ((int32_t)(0xFFFFFFULL * SYST_COUNTER_MHZ / SYST_MHZ))

/*
 * What is further ahead than it can count comes early, which is allowed; what is due, after one
 * count: after none it never would.
 */
static inline void timer_alarm(uint32_t cycle)
{
	int32_t ahead = (int32_t)(cycle - *(volatile uint32_t *)BOARD_TIMER_COUNT);

	ahead = MIN(MAX(ahead, 1), SYST_AHEAD_LIMIT);
	SYST_RVR = MAX((uint32_t)ahead * SYST_MHZ / SYST_COUNTER_MHZ, 1U);
	SYST_CVR = 0; /* it begins anew */
	SYST_CSR = SYST_ALARMS;
}

#endif /* FOLIOT_DRIVERS_TIMER_SYSTICK_ALARM_H */
