/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Switch Science mbed TY51822r3 (nRF51822, Cortex-M0, 256 KiB + 32 KiB, a crystal of 32 MHz): all
 * else that is used of the chip is where microbit, which QEMU emulates, has it. The counter is the
 * core's clock.
 */
#ifndef FOLIOT_BOARD_H
#define FOLIOT_BOARD_H

#define BOARD_CLOCK_HZ 16000000

#define BOARD_ROM_BASE 0x00000000
#define BOARD_ROM_SIZE 0x00040000
#define BOARD_RAM_BASE 0x20000000
#define BOARD_RAM_SIZE 0x00008000

#define BOARD_NUM_IRQS       32
#define BOARD_NVIC_PRIO_BITS 2

#define BOARD_CLOCK_STARTS
#define BOARD_NRF_CLOCK_BASE 0x40000000
#define BOARD_NRF_XTALFREQ   0 /* 32 MHz */
#define BOARD_TIMER_BASE     0x40008000 /* TIMER0, the one of 32 bits */
#define BOARD_TIMER_IRQ      8
#define BOARD_TIMER_HZ       BOARD_CLOCK_HZ
#define BOARD_TIMER_ALARM    "drivers/timer/nrf.h"
#define BOARD_UART_BASE      0x40002000
#define BOARD_UART_TX_PIN    9 /* to the interface chip, as on Nordic's PCA10001 */
#define BOARD_SOFT_IRQ       25 /* SWI5 */

/* P0.12 any thread, P0.13 scheduler, P0.14 queueing, P0.15 thread 0. */
#ifdef CONFIG_TRACE
#define BOARD_SETUP {0x50000518, 0, 0xF000} /* DIRSET */
#endif
#define BOARD_SIGNALS                 0x50000504 /* OUT */
#define BOARD_SIGNALS_SET             0x50000508
#define BOARD_SIGNALS_CLR             0x5000050C
#define BOARD_SIGNALS_ON_PINS(levels) (((levels) & 7U) << 12 | ((levels) >> 16 & 1U) << 15)

#define BOARD_CYCLES_CAPTURE_REG  0x40008048 /* TASKS_CAPTURE[2] */
#define BOARD_CYCLES_CAPTURED_REG 0x40008548 /* CC[2] */
#define BOARD_CYCLES_NAME         "nrf_timer0"
#define BOARD_CYCLES_BITS         32
#define BOARD_CYCLES_NUM          1
#define BOARD_CYCLES_DEN          1

#endif /* FOLIOT_BOARD_H */
