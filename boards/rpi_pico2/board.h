/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raspberry Pi Pico 2 (RP2350, Cortex-M33 at 150 MHz, 4 MiB of flash, 512 of 520 KiB of RAM):
 * RP2350 Datasheet. The first of its cores, in secure state; the other stays asleep in the chip's
 * ROM. The timer counts microseconds of the crystal.
 */
#ifndef FOLIOT_BOARD_H
#define FOLIOT_BOARD_H

#define BOARD_CLOCK_HZ 150000000

#define BOARD_ROM_BASE 0x10000000
#define BOARD_ROM_SIZE 0x00400000
#define BOARD_RAM_BASE 0x20000000
#define BOARD_RAM_SIZE 0x00080000

#define BOARD_SETS_VTOR /* as the ROM does; a debugger that loads an image does not */

#define BOARD_NUM_IRQS       52
#define BOARD_NVIC_PRIO_BITS 4

/* 12 MHz * 125 / 5 / 2 = 150 MHz. */
#define BOARD_CLOCK_STARTS
#define BOARD_RESET_HZ     11000000
#define BOARD_XOSC_HZ      12000000
#define BOARD_PLL_FBDIV    125
#define BOARD_PLL_POSTDIV1 5
#define BOARD_PLL_POSTDIV2 2
#define BOARD_CLOCKS_BASE  0x40010000
#define BOARD_RESETS_BASE  0x40020000
#define BOARD_XOSC_BASE    0x40048000
#define BOARD_PLL_BASE     0x40050000
#define BOARD_RESET_PLL    (1U << 14)
#define BOARD_RESET_DEVICES \
	(1U << 6 | 1U << 9 | 1U << 23 | 1U << 26) /* pins, pads, TIMER0, UART0 */

/* A pad is cut off after reset (ISO); 4 mA, input on; then its function. */
#define BOARD_PIN_(n, function)                      \
	{0x40038004 + 4 * (n), 0x1FF, 0x56},         \
	{                                            \
		0x40028004 + 8 * (n), 0x1F, function \
	}
#define BOARD_UART_(n)   BOARD_PIN_(n, 2)
#define BOARD_SIGNAL_(n) BOARD_PIN_(n, 5) /* SIO: by BOARD_SIGNALS */

#ifdef CONFIG_TRACE
#define BOARD_SIGNALS_SETUP_                                                            \
	, BOARD_SIGNAL_(2), BOARD_SIGNAL_(3), BOARD_SIGNAL_(4), BOARD_SIGNAL_(5),       \
		BOARD_SIGNAL_(6), BOARD_SIGNAL_(7), BOARD_SIGNAL_(8), BOARD_SIGNAL_(9), \
		{                                                                       \
			0xD0000030, 0, 0x3FC /* GPIO_OE */                              \
		}
#else
#define BOARD_SIGNALS_SETUP_
#endif

/* TICKS: TIMER0's is a microsecond, by 12 MHz. */
#define BOARD_SETUP                                                  \
	{0x4010801C, 0x1FF, 12}, {0x40108018, 0, 1}, BOARD_UART_(0), \
		BOARD_UART_(1) BOARD_SIGNALS_SETUP_

/* GP2 any thread, GP3 scheduler, GP4 queueing, GP5 interrupts; GP6 to GP9 threads 0 to 3. */
#define BOARD_SIGNALS                 0xD0000010 /* GPIO_OUT */
#define BOARD_SIGNALS_SET             0xD0000018
#define BOARD_SIGNALS_CLR             0xD0000020
#define BOARD_SIGNALS_ON_PINS(levels) (((levels) & 0xFU) << 2 | ((levels) >> 16 & 0xFU) << 6)

#define BOARD_TIMER_BASE  0x400B0000 /* TIMER0 */
#define BOARD_TIMER_INTR  0x3C
#define BOARD_TIMER_IRQ   0
#define BOARD_TIMER_HZ    1000000
#define BOARD_TIMER_COUNT 0x400B0028 /* TIMERAWL */
#define BOARD_TIMER_ALARM "drivers/timer/rp2.h"
#define BOARD_UART_BASE   0x40070000 /* UART0, on GP0 and GP1 */
#define BOARD_UART_BAUD   115200
#define BOARD_SOFT_IRQ    31 /* SPI0, which is not used */

#define BOARD_CYCLES_UP_REG 0xE0001004 /* DWT_CYCCNT */
#define BOARD_CYCLES_NAME   "dwt_cyccnt"
#define BOARD_CYCLES_BITS   32
#define BOARD_CYCLES_NUM    1
#define BOARD_CYCLES_DEN    1

#endif /* FOLIOT_BOARD_H */
