/* SPDX-License-Identifier: Apache-2.0 */
/* See tests/kernel/registers.c. Register n holds seed + n. */
#include <arch_width.h>
#include "../frame.inc"

/* Behind a switch frame: */
#define SEED  FRAME_SIZE
#define STOP  (FRAME_SIZE + REGBYTES) /* or rounds */
#define SPARE (FRAME_SIZE + REGBYTES * 2)

	.macro enter
	addi	sp, sp, -(FRAME_SIZE + REGBYTES * 4)
	save_callee_saved zero
	REG_S	a0, SEED(sp)
	REG_S	a1, STOP(sp)
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
	REG_L	a0, SEED(sp)
	addi	a1, a0, 11
	addi	a0, a0, 10
	.rept 24
	nop
	.endr
	REG_S	a1, SPARE(sp)
	REG_L	a1, SEED(sp)
	addi	a1, a1, 10
	beq	a0, a1, 1f
	li	a0, 10
	j	leave
1:
	REG_L	a0, SEED(sp)
	addi	a0, a0, 11
	REG_L	a1, SPARE(sp)
	beq	a0, a1, 1f
	li	a0, 11
	j	leave
1:
	REG_L	a0, SEED(sp)
	check	1, 5, 6, 7, 8, 9, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	REG_L	a1, STOP(sp)
	lw	a1, 0(a1)
	beqz	a1, again
	li	a0, 0
leave:
	restore_callee_saved a1
	addi	sp, sp, FRAME_SIZE + REGBYTES * 4
	ret
	.size	registers_spin, . - registers_spin

	.globl	registers_yield
	.type	registers_yield, @function
registers_yield:
	enter
	fill	8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
2:
	call	k_yield
	REG_L	a0, SEED(sp)
	check	8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
	REG_L	a1, STOP(sp)
	addi	a1, a1, -1
	REG_S	a1, STOP(sp)
	bnez	a1, 2b
	li	a0, 0
	j	leave
	.size	registers_yield, . - registers_yield
