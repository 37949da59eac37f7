/* SPDX-License-Identifier: Apache-2.0 */
/*
 * BBC micro:bit v2 (nRF52833, Cortex-M4F at 64 MHz, 512 KiB + 128 KiB). The core counts its cycles
 * by itself.
 */
#ifndef FOLIOT_BOARD_H
#define FOLIOT_BOARD_H

#define BOARD_CLOCK_HZ 64000000

#define BOARD_ROM_BASE 0x00000000
#define BOARD_ROM_SIZE 0x00080000
#define BOARD_RAM_BASE 0x20000000
#define BOARD_RAM_SIZE 0x00020000

#define BOARD_NUM_IRQS       48
#define BOARD_NVIC_PRIO_BITS 3

#define BOARD_CLOCK_STARTS
#define BOARD_NRF_CLOCK_BASE 0x40000000
#define BOARD_TIMER_BASE     0x40008000 /* TIMER0 */
#define BOARD_TIMER_IRQ      8
#define BOARD_TIMER_HZ       16000000
#define BOARD_TIMER_ALARM    "drivers/timer/nrf.h"
#define BOARD_UART_BASE      0x40002000
#define BOARD_UART_TX_PIN    6 /* P0.06, to the interface chip */
#define BOARD_SOFT_IRQ       25 /* SWI5 */

/* Rings 0, 1, 2 of the edge: any thread, scheduler, queueing; its pin 12: thread 0. */
#ifdef CONFIG_TRACE
#define BOARD_SETUP {0x50000518, 0, 0x101C} /* DIRSET */
#endif
#define BOARD_SIGNALS                 0x50000504 /* OUT */
#define BOARD_SIGNALS_SET             0x50000508
#define BOARD_SIGNALS_CLR             0x5000050C
#define BOARD_SIGNALS_ON_PINS(levels) (((levels) & 7U) << 2 | ((levels) >> 16 & 1U) << 12)

#define BOARD_CYCLES_UP_REG 0xE0001004 /* DWT_CYCCNT */
#define BOARD_CYCLES_NAME   "dwt_cyccnt"
#define BOARD_CYCLES_BITS   32
#define BOARD_CYCLES_NUM    1
#define BOARD_CYCLES_DEN    1

#endif /* FOLIOT_BOARD_H */
