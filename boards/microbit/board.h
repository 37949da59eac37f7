/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first BBC micro:bit (nRF51822, Cortex-M0) as QEMU emulates it. With -icount shift=10 an
 * instruction takes 1024 ns, which is 16.384 ticks of its timer.
 */
#ifndef FOLIOT_BOARD_H
#define FOLIOT_BOARD_H

#define BOARD_CLOCK_HZ 16000000

#define BOARD_ROM_BASE 0x00000000
#define BOARD_ROM_SIZE 0x00040000
#define BOARD_RAM_BASE 0x20000000
#define BOARD_RAM_SIZE 0x00004000

#define BOARD_NUM_IRQS       32
#define BOARD_NVIC_PRIO_BITS 2

#define BOARD_TIMER_BASE  0x40008000 /* TIMER0, the one of 32 bits */
#define BOARD_TIMER_IRQ   8
#define BOARD_TIMER_HZ    BOARD_CLOCK_HZ
#define BOARD_TIMER_ALARM "drivers/timer/nrf.h"
#define BOARD_UART_BASE   0x40002000
#define BOARD_UART_TX_PIN 24 /* to the interface chip */
#define BOARD_SOFT_IRQ    25 /* SWI5 */

/* arch_cycles(): 16.384 counts a unit. */
#define BOARD_CYCLES_CAPTURE_REG  0x40008048 /* TASKS_CAPTURE[2] */
#define BOARD_CYCLES_CAPTURED_REG 0x40008548 /* CC[2] */
#define BOARD_CYCLES_NAME         "nrf_timer0"
#define BOARD_CYCLES_BITS         32
#define BOARD_CYCLES_NUM          2048
#define BOARD_CYCLES_DEN          125

#endif /* FOLIOT_BOARD_H */
