/* SPDX-License-Identifier: Apache-2.0 */
/* Short stretches of known instructions, each under a marker of its own. All are 32 bits wide and
 * aligned, so that fetching plays no part unless a stretch is about it. */
#include "soc.h"

	.option norvc
	.option norelax

	/* Everything in flight has left before a stretch begins. */
	.macro stretch number
	.rept 4
	nop
	.endr
	li   t0, \number
	sw   t0, MARKER(s11)
	.endm

	.globl main
main:
	la   s0, word
	li   s1, 1000
	li   s2, 7

	stretch 1              /* n instructions take n cycles */
	.rept 20
	nop
	.endr
	marker_end

	stretch 2              /* a load that nobody waits for */
	lw   a0, 0(s0)
	nop
	nop
	marker_end

	stretch 3              /* a load and its use */
	lw   a0, 0(s0)
	addi a0, a0, 1
	nop
	marker_end

	stretch 4              /* a jump, a taken branch, a branch not taken */
	j    1f
	nop
1:	beqz zero, 2f
	nop
2:	bnez zero, 3f
3:	nop
	marker_end

	stretch 5              /* multiplications */
	mul  a0, s1, s2
	mulh a0, s1, s2
	mul  a1, a0, a0
	marker_end

	stretch 6              /* divisions */
	div  a0, s1, s2
	remu a0, s1, s2
	div  a0, s1, zero
	marker_end

	stretch 7              /* stores, and loads behind them */
	sw   s1, 0(s0)
	sw   s1, 4(s0)
	lw   a0, 0(s0)
	lw   a1, 4(s0)
	lw   a2, 2(s0)         /* not aligned: two accesses */
	marker_end

	stretch 8              /* the clock itself: the loaded number is the line's cycle */
	lw   s3, CYCLE(s11)
	nop
	lw   s4, CYCLE(s11)
	marker_end

	stretch 9              /* CSRs without and with a pipeline flush */
	csrr a0, mscratch
	csrw mscratch, a0
	csrr a0, mstatus
	csrw mstatus, a0
	nop
	marker_end

	mv   s5, ra
	stretch 10             /* an exception, and back behind it */
	ecall
	nop
	marker_end

	stretch 11             /* a load that traps, and back behind it */
	lw   a0, 0(zero)
	nop
	marker_end
	print s3
	println s4
	mv   ra, s5
	li   a0, 0
	ret

	.globl on_trap
	.balign 4
on_trap:
	csrr t1, mepc
	addi t1, t1, 4
	csrw mepc, t1
	mret

	.data
	.balign 8
word:	.word 0x11223344, 0x55667788
