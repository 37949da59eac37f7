/* SPDX-License-Identifier: Apache-2.0 */
/* See tests/kernel/registers.c. Register n holds seed + n. */

	.macro enter
	addi	sp, sp, -80
	sw	ra, 0(sp)
	sw	s0, 4(sp)
	sw	s1, 8(sp)
	sw	s2, 12(sp)
	sw	s3, 16(sp)
	sw	s4, 20(sp)
	sw	s5, 24(sp)
	sw	s6, 28(sp)
	sw	s7, 32(sp)
	sw	s8, 36(sp)
	sw	s9, 40(sp)
	sw	s10, 44(sp)
	sw	s11, 48(sp)
	sw	a0, 52(sp)	/* seed */
	sw	a1, 56(sp)	/* stop, or rounds */
	.endm

	.macro fill registers:vararg
	.irp n, \registers
	addi	x\n, a0, \n
	.endr
	.endm

	/* a0 is the seed; a1 is used. */
	.macro check registers:vararg
	.irp n, \registers
	addi	a1, a0, \n
	beq	x\n, a1, 1f
	li	a0, \n
	j	leave
1:
	.endr
	.endm

	.text
	.globl	registers_spin
	.type	registers_spin, @function
registers_spin:
	enter
	fill	1, 5, 6, 7, 8, 9, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
again:
	lw	a0, 52(sp)
	addi	a1, a0, 11
	addi	a0, a0, 10
	.rept 24
	nop
	.endr
	sw	a1, 60(sp)
	lw	a1, 52(sp)
	addi	a1, a1, 10
	beq	a0, a1, 1f
	li	a0, 10
	j	leave
1:
	lw	a0, 52(sp)
	addi	a0, a0, 11
	lw	a1, 60(sp)
	beq	a0, a1, 1f
	li	a0, 11
	j	leave
1:
	lw	a0, 52(sp)
	check	1, 5, 6, 7, 8, 9, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	lw	a1, 56(sp)
	lw	a1, 0(a1)
	beqz	a1, again
	li	a0, 0
leave:
	lw	ra, 0(sp)
	lw	s0, 4(sp)
	lw	s1, 8(sp)
	lw	s2, 12(sp)
	lw	s3, 16(sp)
	lw	s4, 20(sp)
	lw	s5, 24(sp)
	lw	s6, 28(sp)
	lw	s7, 32(sp)
	lw	s8, 36(sp)
	lw	s9, 40(sp)
	lw	s10, 44(sp)
	lw	s11, 48(sp)
	addi	sp, sp, 80
	ret
	.size	registers_spin, . - registers_spin

	.globl	registers_yield
	.type	registers_yield, @function
registers_yield:
	enter
	fill	8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
2:
	call	k_yield
	lw	a0, 52(sp)
	check	8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
	lw	a1, 56(sp)
	addi	a1, a1, -1
	sw	a1, 56(sp)
	bnez	a1, 2b
	li	a0, 0
	j	leave
	.size	registers_yield, . - registers_yield
