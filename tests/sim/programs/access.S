/* SPDX-License-Identifier: Apache-2.0 */
/* One access, given by -DACCESS="instruction" with the address in a1 and 0x12345678 in a2 and a0:
 * prints a0 after it, or `trap`, mcause and mtval. */
#include "soc.h"

	.globl main
main:
	addi sp, sp, -16
	sw   ra, 12(sp)
	li   a1, ADDRESS
	li   a2, 0x12345678
	mv   a0, a2
	la   s1, back
	ACCESS
back:
	println a0
	lw   ra, 12(sp)
	addi sp, sp, 16
	li   a0, 0
	ret

	.globl on_trap
on_trap:
	csrr s2, mcause
	csrr s3, mtval
	li   a0, '!'
	call print_character
	print s2
	println s3
	li   t0, FINISHER
	li   t1, PASS
	sw   t1, 0(t0)
1:	j    1b
