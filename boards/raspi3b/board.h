/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raspberry Pi 3B, BCM2837. Addresses as the cores see them: BCM2835 ARM Peripherals (with
 * 0x3F000000 for its 0x7E000000), and QA7 for what is the four cores' own. The clocks of a counted
 * instruction are QEMU's, a nanosecond each.
 */
#ifndef FOLIOT_BOARD_H
#define FOLIOT_BOARD_H

#define BOARD_CLOCK_HZ 1000000000 /* instructions of emulated time */

/*
 * The loader puts kernel8.img at 0x80000 and jumps there, at EL2. RAM that is used begins at a
 * block of the tables, behind: what lies between is empty in the image, and is not mapped, as NULL
 * is not.
 */
#define BOARD_LOADED_AT 0x80000
#define BOARD_RAM_BASE  0x00200000
#define BOARD_RAM_SIZE  0x00400000 /* of 1 GiB */

/*
 * Where the loader has the other three cores wait for an address: of core 1, 2 and 3, 8 bytes each.
 */
#define BOARD_SPIN_TABLE 0xE0
#define BOARD_SPIN_CORES 3

#define BOARD_DEVICES_BASE 0x3F000000
#define BOARD_DEVICES_SIZE 0x01200000 /* up to the cores' own, from 0x40000000 on */

/* config.txt gives it the pins, the header's 8 (TX) and 10, and the clock. */
#define BOARD_UART_BASE 0x3F201000
#define BOARD_UART_HZ   48000000
#define BOARD_UART_BAUD 115200

#define BOARD_PM_BASE  0x3F100000
#define BOARD_RNG_BASE 0x3F104000

#define BOARD_INTC       "drivers/intc/bcm2836.inc"
#define BOARD_LOCAL_BASE 0x40000000
#define BOARD_NUM_IRQS   8 /* four timers, then four mailboxes of the core's */
#define BOARD_SOFT_IRQ   7

/* A store of this value there raises this line: the first mailbox. */
#define BOARD_SWITCH_IRQ   4
#define BOARD_SWITCH_REG   0x40000080
#define BOARD_SWITCH_VALUE 1

#define BOARD_TIMER_HZ    19200000 /* CNTFRQ_EL0: the crystal */
#define BOARD_TIMER_IRQ   3 /* the virtual timer's */
#define BOARD_TIMER_ALARM "drivers/timer/arm_generic.h"

/* arch_cycles() reads the performance monitors' counter, behind what came before. */
#define BOARD_CYCLES_BARRIER
#define BOARD_CYCLES_NAME "pmccntr"
#define BOARD_CYCLES_BITS 64
#define BOARD_CYCLES_NUM  1
#define BOARD_CYCLES_DEN  1

#endif /* FOLIOT_BOARD_H */
