/* SPDX-License-Identifier: Apache-2.0 */
/* What is hard to look at between two instructions: results that the next instruction needs,
 * loads whose answers are still to come, accesses in two halves, traps. Runs on QEMU too, so
 * nothing but the RAM and the finisher is touched. */
#include "soc.h"

	.globl main
main:
	mv   s9, ra
	la   s0, words
	li   s1, 3
	.irp register, x4, x7, x10, x11, x12, x13, x14, x15, x16, x17, x28, x29, x30, x31
	li   \register, 0
	.endr
again:
	/* Results that are used at once, or never, or overwritten by the next */
	lw   a0, 0(s0)
	addi a0, a0, 5
	lw   a1, 4(s0)
	li   a1, 7
	lb   a2, 9(s0)
	lhu  a3, 10(s0)
	sw   a0, 0(s0)
	lw   a4, 0(s0)
	lw   s0, 12(s0)
	lw   a5, 4(s0)
	add  a5, a5, a4
	/* Across words */
	lw   a6, 1(s0)
	sw   a6, 18(s0)
	lh   a7, 19(s0)
	sh   a7, 23(s0)
	lw   t1, 20(s0)
	/* Longer than a clock */
	mul  t2, a5, a6
	mulh t2, t2, a6
	div  t3, t2, a0
	rem  t4, t2, a1
	/* Taken and not */
	beqz t4, 1f
	lw   t5, 0(s0)
1:	bnez s1, 2f
	nop
2:	call leaf
	/* Traps: of the instruction in execution, of a fetch, and one found behind execution */
	la   s8, 3f
	ecall
	.balign 4
3:	la   s8, 4f
	lw   a2, 0(x0)
	addi a1, a1, 1
	addi a1, a1, 1
4:	la   s8, 5f
	.word 0
	.balign 4
5:	la   s8, 6f
	sw   a2, 0(x0)
	sw   a2, 28(s0)
6:	la   s8, 7f
	jr   x0
7:	addi s1, s1, -1
	bnez s1, again
	mv   ra, s9
	li   a0, 0
	ret

	.globl leaf
leaf:
	lw   t6, 8(s0)
	ret

/* On from where s8 says. */
	.globl on_trap
on_trap:
	csrr t0, mcause
	csrr t1, mtval
	csrw mepc, s8
	mret

	.data
	.balign 16
words:
	.word 0x12345678, 0x89abcdef, 0xfedcba98, words, 5, 6, 7, 8, 9
