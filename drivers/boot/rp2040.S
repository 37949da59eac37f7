/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second stage of an RP2040's boot: the chip's ROM copies the flash's first 256 bytes to RAM,
 * compares their checksum, which is the last word, and calls them. They set the flash's interface
 * up for execution in place, and go to the program, which begins behind them.
 *
 * Read by one wire, command 03h, which every flash has: what is faster (four wires, no command)
 * depends on the flash's make and needs it told so; the cache of 16 KiB is in front of either.
 *
 * The checksum is CRC-32 with the polynomial 04C11DB7h, from FFFFFFFFh, neither mirrored nor
 * inverted (RP2040 Datasheet, 2.8.1.3.1). It stands here as a constant, since no assembler computes
 * one of its own output; `foliot flash` and the tests compute it, and refuse an image whose is
 * another.
 */
#include <board.h>

	.syntax unified
	.thumb

#define SSI       0x18000000
#define CTRLR0    0x00
#define CTRLR1    0x04
#define SSIENR    0x08
#define BAUDR     0x14
#define SPI_CTRLR0 0xF4
#define VTOR      0xE000ED08

	.section .boot, "a"
boot2:
	ldr r3, =SSI
	movs r0, #0
	str r0, [r3, #SSIENR] /* off, while it is set up */
	movs r0, #4 /* the core's clock by four: 31 MHz */
	str r0, [r3, #BAUDR]
	ldr r0, =31 << 16 | 3 << 8 /* frames of 32 bits, read as an EEPROM is */
	str r0, [r3, #CTRLR0]
	ldr r0, =0x03 << 24 | 2 << 8 | 6 << 2 /* 03h, 8 bits of command, 24 of address */
	movs r1, #SPI_CTRLR0
	str r0, [r3, r1]
	movs r0, #0
	str r0, [r3, #CTRLR1] /* a frame a read */
	movs r0, #1
	str r0, [r3, #SSIENR]
	ldr r0, =BOARD_ROM_BASE + 256
	ldr r1, =VTOR
	str r0, [r1]
	ldmia r0!, {r1, r2}
	msr msp, r1
	bx r2
	.ltorg
	.org 252
	.word 0xBC682160
