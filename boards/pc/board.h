/* SPDX-License-Identifier: Apache-2.0 */
/* A PC as it is met: its memory's first 16 MiB, its first serial port, and clocks of any rate. */
#ifndef FOLIOT_BOARD_H
#define FOLIOT_BOARD_H

/*
 * Of what arch_cycles() reads: no PC's is faster, and how fast it is, is found at start
 * (drivers/clock/pc.h).
 */
#define BOARD_CLOCK_HZ     4294967295
#define BOARD_CLOCK_STARTS 1
#ifndef __ASSEMBLER__
#include <stdint.h>
uint32_t pc_clock_hz(void);
#define BOARD_CLOCK_FOUND_HZ pc_clock_hz()
#endif

/*
 * 8 MiB at 8 MiB: a power of two at its multiple, so that one comparison tells what lies in there.
 */
#define BOARD_RAM_BASE 0x00800000
#define BOARD_RAM_SIZE 0x00800000

/* All else but RAM and these pages is mapped to nothing. */
#define BOARD_HPET_BASE  0xFED00000
#define BOARD_LAPIC_BASE 0xFEE00000

#define BOARD_UART_PORT 0x3F8 /* COM1 */
#define BOARD_EXIT_PORT 0xF4 /* isa-debug-exit, in QEMU */

/* Lines: arch/x86_64/irq.c. */
#define BOARD_TIMER_IRQ  0
#define BOARD_SWITCH_IRQ 1
#define BOARD_SOFT_IRQ   2

/*
 * The kernel's clock: nanoseconds, whatever the time stamp counter's rate and the APIC timer's are.
 */
#define BOARD_TIMER_HZ    1000000000
#define BOARD_TIMER_ALARM "drivers/timer/lapic_scaled.h"

/*
 * arch_cycles() reads the time stamp counter, or a fixed-function counter, which counts what
 * happens and tells no time.
 */
#if defined(CONFIG_X86_64_COUNTS_CLOCKS)
#define BOARD_CYCLES_NAME    "unhalted clocks, fixed-function counter 1"
#define BOARD_CYCLES_NO_RATE 1
#elif defined(CONFIG_X86_64_COUNTS_INSTRUCTIONS)
#define BOARD_CYCLES_NAME    "instructions retired, fixed-function counter 0"
#define BOARD_CYCLES_NO_RATE 1
#else
#define BOARD_CYCLES_NAME "tsc"
#endif
#define BOARD_CYCLES_BITS 64
#define BOARD_CYCLES_NUM  1
#define BOARD_CYCLES_DEN  1

#endif /* FOLIOT_BOARD_H */
