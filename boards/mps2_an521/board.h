/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arm MPS2 with the AN521 image (Cortex-M33), as QEMU emulates it: the first of its two cores, in
 * secure state all the time, so all addresses are those of the secure aliases. With -icount
 * shift=10 an instruction takes 1024 ns, which is 20.48 ticks of the timers.
 */
#ifndef FOLIOT_BOARD_H
#define FOLIOT_BOARD_H

#define BOARD_CLOCK_HZ 20000000

#define BOARD_ROM_BASE 0x10000000
#define BOARD_ROM_SIZE 0x00400000
#define BOARD_RAM_BASE 0x38000000
#define BOARD_RAM_SIZE 0x00400000

#define BOARD_NUM_IRQS       32 /* of 124: the expansion's are not used */
#define BOARD_NVIC_PRIO_BITS 3

#define BOARD_TIMER_BASE  0x50000000 /* counts freely */
#define BOARD_ALARM_BASE  0x50001000 /* one shot */
#define BOARD_ALARM_IRQ   4
#define BOARD_TIMER_HZ    BOARD_CLOCK_HZ
#define BOARD_TIMER_COUNT 0x50000004 /* its value */
#define BOARD_TIMER_COUNTS_DOWN
#define BOARD_TIMER_ALARM "drivers/timer/cmsdk.h"
#define BOARD_UART_BASE   0x50200000
#define BOARD_SOFT_IRQ    31

/* arch_cycles(): 20.48 counts a unit. */
#define BOARD_CYCLES_DOWN_REG 0x50000004
#define BOARD_CYCLES_NAME     "cmsdk_timer0"
#define BOARD_CYCLES_BITS     32
#define BOARD_CYCLES_NUM      512
#define BOARD_CYCLES_DEN      25

#endif /* FOLIOT_BOARD_H */
