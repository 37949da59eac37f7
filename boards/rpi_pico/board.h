/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raspberry Pi Pico (RP2040, Cortex-M0+ at 125 MHz, 2 MiB of flash, 264 KiB of RAM): RP2040
 * Datasheet. The first of its two cores; the other stays asleep in the chip's ROM. SysTick counts
 * the core's cycles, the timer microseconds of the crystal.
 */
#ifndef FOLIOT_BOARD_H
#define FOLIOT_BOARD_H

#define BOARD_CLOCK_HZ 125000000

#define BOARD_ROM_BASE 0x10000000
#define BOARD_ROM_SIZE 0x00200000
#define BOARD_RAM_BASE 0x20000000
#define BOARD_RAM_SIZE 0x00042000

#define BOARD_NUM_IRQS       32 /* 26 of devices; the others only software raises */
#define BOARD_NVIC_PRIO_BITS 2

/* 12 MHz * 125 / 6 / 2 = 125 MHz. */
#define BOARD_CLOCK_STARTS
#define BOARD_RESET_HZ      6500000
#define BOARD_XOSC_HZ       12000000
#define BOARD_PLL_FBDIV     125
#define BOARD_PLL_POSTDIV1  6
#define BOARD_PLL_POSTDIV2  2
#define BOARD_CLOCKS_BASE   0x40008000
#define BOARD_RESETS_BASE   0x4000C000
#define BOARD_XOSC_BASE     0x40024000
#define BOARD_PLL_BASE      0x40028000
#define BOARD_RESET_PLL     (1U << 12)
#define BOARD_RESET_DEVICES (1U << 5 | 1U << 8 | 1U << 21 | 1U << 22) /* pins, pads, timer, UART0 */

#define BOARD_PIN_(n, function) {0x40014004 + 8 * (n), 0x1F, function} /* IO_BANK0 */
#define BOARD_UART_(n)          BOARD_PIN_(n, 2)
#define BOARD_SIGNAL_(n)        BOARD_PIN_(n, 5) /* SIO: by BOARD_SIGNALS */

#ifdef CONFIG_TRACE
#define BOARD_SIGNALS_SETUP_                                                                \
	, BOARD_SIGNAL_(2), BOARD_SIGNAL_(3), BOARD_SIGNAL_(4), BOARD_SIGNAL_(5),           \
		BOARD_SIGNAL_(6), BOARD_SIGNAL_(7), BOARD_SIGNAL_(8), BOARD_SIGNAL_(9),     \
		BOARD_SIGNAL_(10), BOARD_SIGNAL_(11), BOARD_SIGNAL_(12), BOARD_SIGNAL_(13), \
		BOARD_SIGNAL_(14), BOARD_SIGNAL_(15), BOARD_SIGNAL_(16), BOARD_SIGNAL_(17), \
		BOARD_SIGNAL_(18), BOARD_SIGNAL_(19), BOARD_SIGNAL_(20), BOARD_SIGNAL_(21), \
		{                                                                           \
			0xD0000020, 0, 0x3FFFFC /* GPIO_OE */                               \
		}
#else
#define BOARD_SIGNALS_SETUP_
#endif

#define BOARD_SETUP                                                                      \
	{0x4005802C, 0x1FF, 1U << 9 | 12}, /* WATCHDOG_TICK: a microsecond, by 12 MHz */ \
		BOARD_UART_(0), BOARD_UART_(1) BOARD_SIGNALS_SETUP_

/* GP2 any thread, GP3 scheduler, GP4 queueing, GP5 interrupts; GP6 to GP21 threads 0 to 15. */
#define BOARD_SIGNALS                 0xD0000010 /* GPIO_OUT */
#define BOARD_SIGNALS_SET             0xD0000014
#define BOARD_SIGNALS_CLR             0xD0000018
#define BOARD_SIGNALS_ON_PINS(levels) (((levels) & 0xFU) << 2 | (levels) >> 16 << 6)

#define BOARD_TIMER_BASE  0x40054000
#define BOARD_TIMER_INTR  0x34
#define BOARD_TIMER_IRQ   0
#define BOARD_TIMER_HZ    1000000
#define BOARD_TIMER_COUNT 0x40054028 /* TIMERAWL */
#define BOARD_TIMER_ALARM "drivers/timer/rp2.h"
#define BOARD_UART_BASE   0x40034000 /* UART0, on GP0 and GP1 */
#define BOARD_UART_BAUD   115200
#define BOARD_SOFT_IRQ    31

#define BOARD_CYCLES_SYSTICK
#define BOARD_CYCLES_NAME "systick"
#define BOARD_CYCLES_BITS 24
#define BOARD_CYCLES_NUM  1
#define BOARD_CYCLES_DEN  1

#endif /* FOLIOT_BOARD_H */
