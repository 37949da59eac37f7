/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the RP2350's ROM looks for in the flash's first 4 KiB: a block that says that this is an
 * image for its Arm cores, to be started in secure state, and where its vectors are (RP2350
 * Datasheet, 5.9). The ROM sets the flash's interface up by itself, and the vector table's address.
 */
#include <board.h>

#define BEGIN      0xFFFFDED3
#define END        0xAB123579
#define IMAGE_TYPE 0x42 /* of one word, whose upper half says: */
#define EXECUTABLE 0x0001
#define SECURE     0x0020
#define RP2350     0x1000
#define VECTORS    0x03 /* of two words, the second their address */
#define LAST       0xFF /* and how many words came before it */

	.section .boot, "a"
	.word BEGIN
	.word (EXECUTABLE | SECURE | RP2350) << 16 | 1 << 8 | IMAGE_TYPE
	.word 2 << 8 | VECTORS
	.word BOARD_ROM_BASE + 512
	.word 3 << 8 | LAST
	.word 0 /* the next block is this one */
	.word END
	.org 512 /* the vectors' alignment: a power of two that holds them all */
