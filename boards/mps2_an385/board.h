/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arm MPS2 with the AN385 image (Cortex-M3), as QEMU emulates it. With -icount
 * shift=10 an instruction takes 1024 ns, which is 25.6 ticks of the timers.
 */
#ifndef FOLIOT_BOARD_H
#define FOLIOT_BOARD_H

#define BOARD_CLOCK_HZ 25000000

#define BOARD_ROM_BASE 0x00000000
#define BOARD_ROM_SIZE 0x00400000
#define BOARD_RAM_BASE 0x20000000
#define BOARD_RAM_SIZE 0x00400000

#define BOARD_NUM_IRQS       32
#define BOARD_NVIC_PRIO_BITS 3

#define BOARD_TIMER_BASE  0x40000000 /* counts freely */
#define BOARD_ALARM_BASE  0x40001000 /* one shot */
#define BOARD_ALARM_IRQ   9
#define BOARD_TIMER_HZ    BOARD_CLOCK_HZ
#define BOARD_TIMER_COUNT 0x40000004 /* its value */
#define BOARD_TIMER_COUNTS_DOWN
#define BOARD_TIMER_ALARM "drivers/timer/cmsdk.h"
#define BOARD_INJECT_BASE 0x40002000 /* the dual timer */
#define BOARD_INJECT_IRQ  10
#define BOARD_INJECTOR    "drivers/inject/cmsdk_dual.h"
#define BOARD_UART_BASE   0x40004000
#define BOARD_SOFT_IRQ    31

/* arch_cycles(): 25.6 counts a unit. */
#define BOARD_CYCLES_DOWN_REG 0x40000004
#define BOARD_CYCLES_NAME     "cmsdk_timer0"
#define BOARD_CYCLES_BITS     32
#define BOARD_CYCLES_NUM      256
#define BOARD_CYCLES_DEN      10

#endif /* FOLIOT_BOARD_H */
