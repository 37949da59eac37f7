/* SPDX-License-Identifier: Apache-2.0 */
/* A PC in QEMU, with -icount shift=0: an instruction a nanosecond. */
#ifndef FOLIOT_BOARD_H
#define FOLIOT_BOARD_H

#define BOARD_CLOCK_HZ 1000000000 /* instructions of emulated time */

/*
 * 8 MiB at 8 MiB: a power of two at its multiple, so that one comparison tells what lies in there.
 */
#define BOARD_RAM_BASE 0x00800000
#define BOARD_RAM_SIZE 0x00800000

/* All else but RAM and these pages is mapped to nothing. */
#define BOARD_HPET_BASE  0xFED00000
#define BOARD_LAPIC_BASE 0xFEE00000

#define BOARD_UART_PORT 0x3F8 /* COM1 */
#define BOARD_EXIT_PORT 0xF4 /* isa-debug-exit */

/* Lines: arch/x86_64/irq.c. */
#define BOARD_TIMER_IRQ  0
#define BOARD_SWITCH_IRQ 1
#define BOARD_SOFT_IRQ   2

/*
 * Both counters of the clock, the time stamp counter and the APIC timer, have the rate that QEMU
 * gives them where it counts instructions, a constant. On a real machine both are others, and the
 * board pc finds them out.
 */
#define BOARD_TIMER_HZ    1000000000
#define BOARD_TIMER_ALARM "drivers/timer/lapic.h"

/* arch_cycles() reads the time stamp counter: one count an instruction. */
#define BOARD_CYCLES_NAME "tsc"
#define BOARD_CYCLES_BITS 64
#define BOARD_CYCLES_NUM  1
#define BOARD_CYCLES_DEN  1

#endif /* FOLIOT_BOARD_H */
