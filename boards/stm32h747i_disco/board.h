/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ST STM32H747I-DISCO (STM32H747XI, its Cortex-M7 at 64 MHz, 1 MiB of its flash, 128 KiB of DTCM):
 * RM0399, UM2411. The core is fed by the switching regulator, as the board is delivered, and the
 * chip is told so; one whose solder bridges were changed to the linear one locks up by that until
 * it is started by its boot pins (UM2411, 5.2.3). The clock is the RC oscillator's, or by
 * CONFIG_CLOCK_RATED 400 MHz: 480 would need the linear regulator. The other core (M4) starts what
 * lies in the second half of the flash, if anything.
 */
#ifndef FOLIOT_BOARD_H
#define FOLIOT_BOARD_H

#define BOARD_SUPPLY "drivers/supply/stm32h7_smps.h"

#define BOARD_CLOCK_STARTS
#ifdef CONFIG_CLOCK_RATED
#define BOARD_CLOCK_HZ 400000000
#define BOARD_TIMER_HZ 200000000
#define BOARD_UART_HZ  100000000
#else
#define BOARD_CLOCK_HZ 64000000
#define BOARD_TIMER_HZ BOARD_CLOCK_HZ
#define BOARD_UART_HZ  BOARD_CLOCK_HZ
#endif

#define BOARD_ROM_BASE 0x08000000
#define BOARD_ROM_SIZE 0x00100000
#ifdef CONFIG_RAM_CACHED
#define BOARD_RAM_BASE 0x24000000 /* AXI SRAM */
#define BOARD_RAM_SIZE 0x00080000
#else
#define BOARD_RAM_BASE 0x20000000 /* DTCM */
#define BOARD_RAM_SIZE 0x00020000
#endif
#define BOARD_CACHE "drivers/cache/cortex_m7.h"

#define BOARD_NUM_IRQS       150
#define BOARD_NVIC_PRIO_BITS 4

/* Clocks of port A, TIM2, TIM5 and USART1; PA9 is its pin to the debugger's port. */
#define BOARD_SETUP                                                                             \
	{0x580244E0, 0, 1U << 0}, {0x580244E8, 0, 1U << 3 | 1U << 0}, {0x580244F0, 0, 1U << 4}, \
		{0x58020024, 15U << 4, 7U << 4}, {0x58020000, 3U << 18, 2U << 18}

#define BOARD_TIMER_BASE      0x40000000 /* TIM2: counts freely */
#define BOARD_ALARM_BASE      0x40000C00 /* TIM5 */
#define BOARD_ALARM_IRQ       50
#define BOARD_TIMER_PRESCALER 1
#define BOARD_TIMER_COUNT     0x40000024
#define BOARD_TIMER_ALARM     "drivers/timer/stm32.h"

#define BOARD_UART_BASE   0x40011000 /* USART1 */
#define BOARD_UART_STATUS 0x1C
#define BOARD_UART_DATA   0x28
#define BOARD_UART_BRR    0x0C
#define BOARD_UART_CR1    0x00
#define BOARD_UART_ENABLE (1U << 0)

#define BOARD_SOFT_IRQ 22 /* FDCAN2's second */

#define BOARD_CYCLES_UP_REG 0xE0001004 /* DWT_CYCCNT */
#define BOARD_CYCLES_NAME   "dwt_cyccnt"
#define BOARD_CYCLES_BITS   32
#define BOARD_CYCLES_NUM    1
#define BOARD_CYCLES_DEN    1

#endif /* FOLIOT_BOARD_H */
