/* SPDX-License-Identifier: Apache-2.0 */
/* Loads from, stores to and jumps to each of ADDRESSES, and prints mcause and mtval of each; a try
 * that does not trap prints nothing. */
#include "soc.h"

	.globl main
main:
	mv   s10, ra
	la   s0, addresses
	la   s2, end
1:	lw   s3, 0(s0)
	la   s1, 2f
	lw   a0, 0(s3)
2:	la   s1, 3f
	sw   zero, 0(s3)
3:	la   s1, 4f
	jr   s3
4:	addi s0, s0, 4
	bne  s0, s2, 1b
	mv   ra, s10
	li   a0, 0
	ret

	.globl on_trap
on_trap:
	csrr s4, mcause
	csrr s5, mtval
	print s4
	println s5
	csrw mepc, s1
	mret

	.balign 4
addresses:
	.word ADDRESSES
end:
