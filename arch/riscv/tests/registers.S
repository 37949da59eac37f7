/* SPDX-License-Identifier: Apache-2.0 */
/* See tests/kernel/registers.c. Register n holds seed + n. */
#include <arch_width.h>

	.macro enter
	addi	sp, sp, -REGBYTES * 20
	REG_S	ra, 0(sp)
	REG_S	s0, REGBYTES * 1(sp)
	REG_S	s1, REGBYTES * 2(sp)
	REG_S	s2, REGBYTES * 3(sp)
	REG_S	s3, REGBYTES * 4(sp)
	REG_S	s4, REGBYTES * 5(sp)
	REG_S	s5, REGBYTES * 6(sp)
	REG_S	s6, REGBYTES * 7(sp)
	REG_S	s7, REGBYTES * 8(sp)
	REG_S	s8, REGBYTES * 9(sp)
	REG_S	s9, REGBYTES * 10(sp)
	REG_S	s10, REGBYTES * 11(sp)
	REG_S	s11, REGBYTES * 12(sp)
	REG_S	a0, REGBYTES * 13(sp)	/* seed */
	REG_S	a1, REGBYTES * 14(sp)	/* stop, or rounds */
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
	REG_L	a0, REGBYTES * 13(sp)
	addi	a1, a0, 11
	addi	a0, a0, 10
	.rept 24
	nop
	.endr
	REG_S	a1, REGBYTES * 15(sp)
	REG_L	a1, REGBYTES * 13(sp)
	addi	a1, a1, 10
	beq	a0, a1, 1f
	li	a0, 10
	j	leave
1:
	REG_L	a0, REGBYTES * 13(sp)
	addi	a0, a0, 11
	REG_L	a1, REGBYTES * 15(sp)
	beq	a0, a1, 1f
	li	a0, 11
	j	leave
1:
	REG_L	a0, REGBYTES * 13(sp)
	check	1, 5, 6, 7, 8, 9, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	REG_L	a1, REGBYTES * 14(sp)
	lw	a1, 0(a1)
	beqz	a1, again
	li	a0, 0
leave:
	REG_L	ra, 0(sp)
	REG_L	s0, REGBYTES * 1(sp)
	REG_L	s1, REGBYTES * 2(sp)
	REG_L	s2, REGBYTES * 3(sp)
	REG_L	s3, REGBYTES * 4(sp)
	REG_L	s4, REGBYTES * 5(sp)
	REG_L	s5, REGBYTES * 6(sp)
	REG_L	s6, REGBYTES * 7(sp)
	REG_L	s7, REGBYTES * 8(sp)
	REG_L	s8, REGBYTES * 9(sp)
	REG_L	s9, REGBYTES * 10(sp)
	REG_L	s10, REGBYTES * 11(sp)
	REG_L	s11, REGBYTES * 12(sp)
	addi	sp, sp, REGBYTES * 20
	ret
	.size	registers_spin, . - registers_spin

	.globl	registers_yield
	.type	registers_yield, @function
registers_yield:
	enter
	fill	8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
2:
	call	k_yield
	REG_L	a0, REGBYTES * 13(sp)
	check	8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
	REG_L	a1, REGBYTES * 14(sp)
	addi	a1, a1, -1
	REG_S	a1, REGBYTES * 14(sp)
	bnez	a1, 2b
	li	a0, 0
	j	leave
	.size	registers_yield, . - registers_yield
