/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an i.MX RT's ROM looks for in a serial NOR flash: how it is read (at its beginning), and at
 * 1000h where the image is and its vectors (i.MX RT1060 Reference Manual, 9.6.3.1 and 9.7). Read by
 * one wire at 30 MHz, command 03h, which every flash has; the ROM calls what the entry's vector
 * table says.
 */
#include <board.h>

#define TAG            0x42464346 /* FCFB */
#define VERSION        0x56010000
#define LOOPBACK       0 /* sampled by what comes back inside of the chip */
#define SERIAL_NOR     1
#define ONE_PAD        1
#define MHZ_30         1
#define CMD_SDR        0x01
#define RADDR_SDR      0x02
#define READ_SDR       0x09
/* An instruction of the controller: what, on how many wires (1: 0), and its operand. */
#define STEP(what, operand) ((what) << 10 | (operand))

	.section .boot, "a"
configuration:
	.word TAG
	.word VERSION
	.word 0
	.byte LOOPBACK, 3, 3, 0 /* 3: the time that the chip select is held and set up */
	.org 0x44
	.byte SERIAL_NOR, ONE_PAD, MHZ_30, 0
	.org 0x50
	.word BOARD_FLASH_SIZE
	.org 0x80 /* the table of instructions; the first sequence reads */
	.short STEP(CMD_SDR, 0x03), STEP(RADDR_SDR, 24)
	.short STEP(READ_SDR, 4), 0
	.org 0x1C0
	.word 256, 4096 /* a page, a sector */
	.word 1 /* for commands of its own: 30 MHz */
	.org 0x1000
image_vectors:
	.word 0x412000D1 /* the header: tag D1h, 32 bytes, version 4.1 */
	.word BOARD_ROM_BASE + 0x2000
	.word 0, 0
	.word boot_data
	.word image_vectors
	.word 0, 0
boot_data:
	.word BOARD_ROM_BASE, BOARD_ROM_SIZE, 0, 0
	.org 0x2000
