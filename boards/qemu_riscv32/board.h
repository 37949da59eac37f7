/* SPDX-License-Identifier: Apache-2.0 */
/* QEMU's RISC-V `virt` machine, with -icount shift=0: an instruction a nanosecond. */
#ifndef FOLIOT_BOARD_H
#define FOLIOT_BOARD_H

#define BOARD_CLOCK_HZ 1000000000 /* instructions of emulated time */

#define BOARD_RAM_BASE 0x80000000
#define BOARD_RAM_SIZE 0x00400000

#define BOARD_RTC_BASE  0x00101000
#define BOARD_INJECTOR  "drivers/inject/goldfish_rtc.h"
#define BOARD_UART_BASE 0x10000000
#define BOARD_FINISHER  0x00100000

#define BOARD_MSIP        0x02000000
#define BOARD_MTIMECMP    0x02004000
#define BOARD_MTIME       0x0200BFF8
#define BOARD_TIMER_HZ    10000000
#define BOARD_TIMER_IRQ   7
#define BOARD_TIMER_COUNT BOARD_MTIME
#define BOARD_TIMER_ALARM "drivers/timer/clint.h"

#define BOARD_PMP_ENTRIES 16

#define BOARD_SOFT_IRQ 1 /* supervisor software interrupt, not delegated */

/* arch_cycles() reads mcycle: one count an instruction. */
#define BOARD_CYCLES_NAME "mcycle"
#define BOARD_CYCLES_BITS 64
#define BOARD_CYCLES_NUM  1
#define BOARD_CYCLES_DEN  1

#endif /* FOLIOT_BOARD_H */
