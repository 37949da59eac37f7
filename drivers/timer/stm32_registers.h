/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of ST's STM32 timers, which both ways to use them share. */
#ifndef FOLIOT_DRIVERS_TIMER_STM32_REGISTERS_H
#define FOLIOT_DRIVERS_TIMER_STM32_REGISTERS_H

#include <stdint.h>

#define STM32_REG(base, n) (*(volatile uint32_t *)((base) + (n)))
#define STM32_CR1(base)    STM32_REG(base, 0x00)
#define STM32_DIER(base)   STM32_REG(base, 0x0C)
#define STM32_SR(base)     STM32_REG(base, 0x10)
#define STM32_EGR(base)    STM32_REG(base, 0x14)
#define STM32_CNT(base)    STM32_REG(base, 0x24)
#define STM32_PSC(base)    STM32_REG(base, 0x28)
#define STM32_ARR(base)    STM32_REG(base, 0x2C)
#define STM32_CCR1(base)   STM32_REG(base, 0x34)

#define STM32_ENABLE   1U /* of CR1 */
#define STM32_END_ONLY 4U /* of CR1: an update that EGR asks for is no interrupt */
#define STM32_UPDATE   1U /* of DIER, SR and EGR */
#define STM32_COMPARE1 2U /* of DIER and SR */

/* Let a timer count to the end of its 32 bits, from 0. */
static inline void stm32_timer_start(uintptr_t base, uint32_t prescaler)
{
	STM32_PSC(base) = prescaler - 1U;
	STM32_ARR(base) = UINT32_MAX;
	STM32_CR1(base) = STM32_END_ONLY;
	STM32_EGR(base) = STM32_UPDATE; /* takes the prescaler over */
	STM32_SR(base) = 0;
	STM32_CR1(base) = STM32_END_ONLY | STM32_ENABLE;
}

#endif /* FOLIOT_DRIVERS_TIMER_STM32_REGISTERS_H */
