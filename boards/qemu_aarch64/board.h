/* SPDX-License-Identifier: Apache-2.0 */
/* QEMU's Arm `virt` machine, with -icount shift=0: an instruction a nanosecond. */
#ifndef FOLIOT_BOARD_H
#define FOLIOT_BOARD_H

#define BOARD_CLOCK_HZ 1000000000 /* instructions of emulated time */

#define BOARD_RAM_BASE 0x40000000
#define BOARD_RAM_SIZE 0x00400000

/* What of the addresses is devices, in 2 MiB; all else but RAM is mapped to nothing. */
#define BOARD_DEVICES_BASE 0x08000000
#define BOARD_DEVICES_SIZE 0x01200000

#define BOARD_UART_BASE 0x09000000

#define BOARD_INTC      "drivers/intc/gicv2.inc"
#define BOARD_GICD_BASE 0x08000000
#define BOARD_GICC_BASE 0x08010000
#define BOARD_NUM_IRQS  64
#define BOARD_SOFT_IRQ  44 /* SPI 12, which no device has */

/* A store of this value there raises this line: a software-generated interrupt to this core. */
#define BOARD_SWITCH_IRQ   0
#define BOARD_SWITCH_REG   0x08000F00
#define BOARD_SWITCH_VALUE 0x02000000

#define BOARD_TIMER_HZ    62500000 /* CNTFRQ_EL0: a count every 16 instructions */
#define BOARD_TIMER_IRQ   27       /* the virtual timer's private line */
#define BOARD_TIMER_ALARM "drivers/timer/arm_generic.h"

/* arch_cycles() reads the performance monitors' counter: one count an instruction. */
#define BOARD_CYCLES_NAME "pmccntr"
#define BOARD_CYCLES_BITS 64
#define BOARD_CYCLES_NUM  1
#define BOARD_CYCLES_DEN  1

#endif /* FOLIOT_BOARD_H */
