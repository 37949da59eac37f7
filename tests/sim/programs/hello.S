/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a line, the way a ns16550 driver does: set the line up, wait until ready, store. */
#include "soc.h"

	.globl main
main:
	li   t0, CONSOLE
	li   t1, 0x83          /* divisor access, 8 bits */
	sb   t1, 3(t0)
	li   t1, 0x36
	sb   t1, 0(t0)         /* divisor, not output */
	sb   zero, 1(t0)
	li   t1, 0x03
	sb   t1, 3(t0)
	la   t1, text
1:	lbu  t2, 0(t1)
	beqz t2, 3f
2:	lbu  t3, 5(t0)         /* line status: room for a byte? */
	andi t3, t3, 0x20
	beqz t3, 2b
	sb   t2, 0(t0)
	addi t1, t1, 1
	j    1b
3:	li   a0, 0
	ret

	.data
text:	.asciz "hello, world\n"
