/* SPDX-License-Identifier: Apache-2.0 */
/* Two timers of ST's STM32: timer_alarm() of drivers/timer.h. */
#ifndef FOLIOT_DRIVERS_TIMER_STM32_H
#define FOLIOT_DRIVERS_TIMER_STM32_H

#include <board.h>
#include "drivers/timer/stm32_registers.h"

/* The second one begins anew at 0, and comes when it has passed its end. */
static inline void timer_alarm(uint32_t cycle)
{
	int32_t ahead = (int32_t)(cycle - STM32_CNT(BOARD_TIMER_BASE));

	STM32_ARR(BOARD_ALARM_BASE) = ahead > 0 ? (uint32_t)ahead : 1U;
	STM32_EGR(BOARD_ALARM_BASE) = STM32_UPDATE;
}

#endif /* FOLIOT_DRIVERS_TIMER_STM32_H */
