/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PJRC Teensy 4.1 (i.MX RT1062, Cortex-M7 at 396 MHz, 8 MiB of flash less PJRC's last 256 KiB, 128
 * KiB of DTCM): i.MX RT1060 Reference Manual. By CONFIG_CLOCK_RATED 600 MHz, at 1.25 V instead of
 * the 1.15 that reset leaves.
 */
#ifndef FOLIOT_BOARD_H
#define FOLIOT_BOARD_H

#define BOARD_ROM_BASE   0x60000000
#define BOARD_ROM_SIZE   0x007C0000
#define BOARD_FLASH_SIZE 0x00800000
#ifdef CONFIG_RAM_CACHED
#define BOARD_RAM_BASE 0x20200000 /* OCRAM2 */
#define BOARD_RAM_SIZE 0x00080000
#else
#define BOARD_RAM_BASE 0x20000000 /* DTCM, as the FlexRAM is divided after reset */
#define BOARD_RAM_SIZE 0x00020000
#endif
#define BOARD_CACHE "drivers/cache/cortex_m7.h"

#define BOARD_SETS_VTOR /* the ROM leaves its own */

#define BOARD_NUM_IRQS       160
#define BOARD_NVIC_PRIO_BITS 4

/*
 * 24 MHz * 66 / 2 / 2 = 396 MHz; 100 instead of 66: 600. The bus of the devices at 150 MHz at most.
 */
#define BOARD_CLOCK_STARTS
#ifdef CONFIG_CLOCK_RATED
#define BOARD_CLOCK_HZ       600000000
#define BOARD_PLL_MULTIPLIER 100
#define BOARD_IPG_DIVISOR    4
#define BOARD_CORE_MILLIVOLT 1250
#else
#define BOARD_CLOCK_HZ       396000000
#define BOARD_PLL_MULTIPLIER 66
#define BOARD_IPG_DIVISOR    3
#define BOARD_CORE_MILLIVOLT 1150
#endif
#define BOARD_PLL_DIVISOR 2

/* Clocks of GPT1 (its own too) and LPUART6; that by the crystal; its pin 1 is AD_B0_02. */
#define BOARD_SETUP                                                                         \
	{0x400FC06C, 0, 15U << 20}, {0x400FC074, 0, 3U << 6}, {0x400FC024, 0x3FU, 1U << 6}, \
		{0x401F80C4, 0x1F, 2}

#define BOARD_TIMER_BASE  0x401EC000 /* GPT1 */
#define BOARD_TIMER_IRQ   100
#define BOARD_TIMER_HZ    24000000
#define BOARD_TIMER_COUNT 0x401EC024
#define BOARD_TIMER_ALARM "drivers/timer/gpt.h"
#define BOARD_UART_BASE   0x40198000 /* LPUART6 */
#define BOARD_UART_HZ     24000000
#define BOARD_SOFT_IRQ    22 /* LPUART3, which is not used */

#define BOARD_CYCLES_UP_REG 0xE0001004 /* DWT_CYCCNT */
#define BOARD_CYCLES_NAME   "dwt_cyccnt"
#define BOARD_CYCLES_BITS   32
#define BOARD_CYCLES_NUM    1
#define BOARD_CYCLES_DEN    1

#endif /* FOLIOT_BOARD_H */
