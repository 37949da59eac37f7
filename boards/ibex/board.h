/* SPDX-License-Identifier: Apache-2.0 */
/* The simulated SoC around Ibex: sim/README.md has the map. */
#ifndef FOLIOT_BOARD_H
#define FOLIOT_BOARD_H

#define BOARD_CLOCK_HZ 100000000 /* nominal */

#define BOARD_RAM_BASE 0x80000000
#define BOARD_RAM_SIZE 0x00100000

#define BOARD_UART_BASE 0x10000000
#define BOARD_FINISHER  0x00100000

#define BOARD_MSIP        0x02000000
#define BOARD_MTIMECMP    0x02004000
#define BOARD_MTIME       0x0200BFF8
#define BOARD_TIMER_HZ    BOARD_CLOCK_HZ
#define BOARD_TIMER_IRQ   7
#define BOARD_TIMER_COUNT BOARD_MTIME
#define BOARD_TIMER_ALARM "drivers/timer/clint.h"

#define BOARD_PMP_ENTRIES 8

/* Foliot's own devices. */
#define BOARD_SIGNALS     0x40000010
#define BOARD_MARKER      0x40000014
#define BOARD_SIGNALS_SET 0x40000018
#define BOARD_SIGNALS_CLR 0x4000001c
#define BOARD_INJECT      0x40000020
#define BOARD_INJECTOR    "drivers/inject/foliot.h"
#define BOARD_SOFT_SET    0x40000028
#define BOARD_SOFT_CLEAR  0x4000002c
#define BOARD_UART2_BASE  0x40000100
#define BOARD_UART2_IRQ   30 /* Ibex's last fast interrupt */
#define BOARD_INPUTS      0x40000200
#define BOARD_EXT_IRQ     11
#define BOARD_SOFT_IRQ    16 /* Ibex's first fast interrupt */

/* arch_cycles(): one count a unit. */
#define BOARD_CYCLES_REG  0x40000008
#define BOARD_CYCLES_NAME "soc_cycle"
#define BOARD_CYCLES_BITS 64
#define BOARD_CYCLES_NUM  1
#define BOARD_CYCLES_DEN  1

#endif /* FOLIOT_BOARD_H */
