/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ST NUCLEO-G431KB (STM32G431KB, Cortex-M4F at 150 MHz, 170 by CONFIG_CLOCK_RATED, 128 KiB + 32
 * KiB): RM0440, UM2397.
 */
#ifndef FOLIOT_BOARD_H
#define FOLIOT_BOARD_H

#define BOARD_ROM_BASE 0x08000000
#define BOARD_ROM_SIZE 0x00020000
#define BOARD_RAM_BASE 0x20000000
#define BOARD_RAM_SIZE 0x00008000

#define BOARD_NUM_IRQS       102
#define BOARD_NVIC_PRIO_BITS 4

/*
 * 16 MHz / 4 * 75 / 2 = 150 MHz: what range 1 of the regulator, that of reset, allows; 85 instead
 * of 75: 170, by its boost (R1MODE of PWR_CR5 is 0), behind the clock of PWR.
 */
#define BOARD_CLOCK_STARTS
#ifdef CONFIG_CLOCK_RATED
#define BOARD_CLOCK_HZ       170000000
#define BOARD_PLL_MULTIPLIER 85U
#define BOARD_BOOST_CLOCK    0x40021058, 1U << 28
#define BOARD_BOOST_OFF      0x40007080, 1U << 8
#else
#define BOARD_CLOCK_HZ       150000000
#define BOARD_PLL_MULTIPLIER 75U
#endif
#define BOARD_RCC_BASE      0x40021000
#define BOARD_FLASH_BASE    0x40022000
#define BOARD_PLLCFGR       0x4002100C
#define BOARD_PLLCFGR_VALUE (1U << 24 | BOARD_PLL_MULTIPLIER << 8 | 3U << 4 | 2U)
#define BOARD_FLASH_ACR \
	(1U << 18 | 7U << 8 | 4U) /* the debugger; caches, prefetch; 4 wait states */
#define BOARD_CFGR     0U
#define BOARD_CFGR_RC  1U
#define BOARD_CFGR_PLL 3U

/* Clocks of ports, TIM2 and USART2; PA2 is its pin to the debugger's port. */
#define BOARD_SETUP                                                    \
	{0x4002104C, 0, 3U << 0}, {0x40021058, 0, 1U << 17 | 1U << 0}, \
		{0x48000020, 15U << 8, 7U << 8},                       \
		{0x48000000, 3U << 4, 2U << 4} BOARD_SIGNALS_SETUP_

/* PA4 any thread, PA5 scheduler, PA6 queueing, PA7 thread 0. */
#ifdef CONFIG_TRACE
#define BOARD_SIGNALS_SETUP_ , {0x48000000, 0xFF00, 0x5500}
#else
#define BOARD_SIGNALS_SETUP_
#endif
#define BOARD_SIGNALS                  0x48000014 /* ODR */
#define BOARD_SIGNALS_SET              0x48000018 /* BSRR: lower half sets, upper half resets */
#define BOARD_SIGNALS_CLR              0x48000018
#define BOARD_SIGNALS_ON_PINS(levels)  (((levels) & 7U) << 4 | ((levels) >> 16 & 1U) << 7)
#define BOARD_SIGNALS_OFF_PINS(levels) (BOARD_SIGNALS_ON_PINS(levels) << 16)

#define BOARD_TIMER_BASE      0x40000000 /* TIM2, the one of 32 bits */
#define BOARD_TIMER_IRQ       28
#define BOARD_TIMER_PRESCALER 1
#define BOARD_TIMER_HZ        BOARD_CLOCK_HZ
#define BOARD_TIMER_COUNT     0x40000024
#define BOARD_TIMER_ALARM     "drivers/timer/stm32_compare.h"

#define BOARD_UART_BASE   0x40004400 /* USART2 */
#define BOARD_UART_HZ     BOARD_CLOCK_HZ
#define BOARD_UART_STATUS 0x1C
#define BOARD_UART_DATA   0x28
#define BOARD_UART_BRR    0x0C
#define BOARD_UART_CR1    0x00
#define BOARD_UART_ENABLE (1U << 0)

#define BOARD_SOFT_IRQ 22 /* FDCAN1's second */

#define BOARD_CYCLES_UP_REG 0xE0001004 /* DWT_CYCCNT */
#define BOARD_CYCLES_NAME   "dwt_cyccnt"
#define BOARD_CYCLES_BITS   32
#define BOARD_CYCLES_NUM    1
#define BOARD_CYCLES_DEN    1

#endif /* FOLIOT_BOARD_H */
