/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ST NUCLEO-F401RE (STM32F401RE, Cortex-M4F at 84 MHz, 512 KiB + 96 KiB): RM0368, UM1724. All that
 * is used of the chip is where the STM32F405 has it, which QEMU emulates as netduinoplus2: without
 * clocks and DWT.
 */
#ifndef FOLIOT_BOARD_H
#define FOLIOT_BOARD_H

#define BOARD_CLOCK_HZ 84000000

#define BOARD_ROM_BASE 0x08000000
#define BOARD_ROM_SIZE 0x00080000
#define BOARD_RAM_BASE 0x20000000
#define BOARD_RAM_SIZE 0x00018000

#define BOARD_NUM_IRQS       85
#define BOARD_NVIC_PRIO_BITS 4

/* 16 MHz / 16 * 336 / 4 = 84 MHz: what scale 2 of the regulator, that of reset, allows. */
#define BOARD_CLOCK_STARTS
#define BOARD_RCC_BASE      0x40023800
#define BOARD_FLASH_BASE    0x40023C00
#define BOARD_PLLCFGR       0x40023804
#define BOARD_PLLCFGR_VALUE (7U << 24 | 1U << 16 | 336U << 6 | 16U)
#define BOARD_FLASH_ACR     (7U << 8 | 2U) /* caches and prefetch; 2 wait states */
#define BOARD_CFGR          (4U << 10)     /* APB1 at half of it, as it must be */
#define BOARD_CFGR_RC       0U
#define BOARD_CFGR_PLL      2U

/* Clocks of ports, TIM2, TIM5 and USART2; PA2 is its pin to the debugger's port. */
#define BOARD_SETUP                                                              \
	{0x40023830, 0, 3U << 0}, {0x40023840, 0, 1U << 17 | 1U << 3 | 1U << 0}, \
		{0x40020020, 15U << 8, 7U << 8},                                 \
		{0x40020000, 3U << 4, 2U << 4} BOARD_SIGNALS_SETUP_

/* PB0 any thread, PB1 scheduler, PB2 queueing; PB8 to PB10 threads 0 to 2. */
#ifdef CONFIG_TRACE
#define BOARD_SIGNALS_SETUP_ , {0x40020400, 0x003F003F, 0x00150015}
#else
#define BOARD_SIGNALS_SETUP_
#endif
#define BOARD_SIGNALS                  0x40020414 /* ODR */
#define BOARD_SIGNALS_SET              0x40020418 /* BSRR: lower half sets, upper half resets */
#define BOARD_SIGNALS_CLR              0x40020418
#define BOARD_SIGNALS_ON_PINS(levels)  (((levels) & 7U) | ((levels) >> 16 & 7U) << 8)
#define BOARD_SIGNALS_OFF_PINS(levels) (BOARD_SIGNALS_ON_PINS(levels) << 16)

#define BOARD_TIMER_BASE      0x40000000 /* TIM2: counts freely */
#define BOARD_ALARM_BASE      0x40000C00 /* TIM5 */
#define BOARD_ALARM_IRQ       50
#define BOARD_TIMER_PRESCALER 1
#define BOARD_TIMER_HZ        BOARD_CLOCK_HZ
#define BOARD_TIMER_COUNT     0x40000024
#define BOARD_TIMER_ALARM     "drivers/timer/stm32.h"

#define BOARD_UART_BASE   0x40004400 /* USART2 */
#define BOARD_UART_HZ     42000000
#define BOARD_UART_STATUS 0x00
#define BOARD_UART_DATA   0x04
#define BOARD_UART_BRR    0x08
#define BOARD_UART_CR1    0x0C
#define BOARD_UART_ENABLE (1U << 13)

#define BOARD_SOFT_IRQ 22 /* no device's */

#define BOARD_CYCLES_UP_REG 0xE0001004 /* DWT_CYCCNT */
#define BOARD_CYCLES_NAME   "dwt_cyccnt"
#define BOARD_CYCLES_BITS   32
#define BOARD_CYCLES_NUM    1
#define BOARD_CYCLES_DEN    1

#endif /* FOLIOT_BOARD_H */
