/* SPDX-License-Identifier: Apache-2.0 */
/* See tests/kernel/registers.c. Register n holds seed + n; the flags hold a pattern too. */

#ifdef CONFIG_CORTEX_M_V6M
#include "registers_v6m.inc"
#else
	.syntax unified
	.thumb
	.text

	.macro fill registers:vararg
	.irp n, \registers
	add	r\n, r0, #\n
	.endr
	.endm

	/* r0 is the seed; r1 is used. */
	.macro check registers:vararg
	.irp n, \registers
	add	r1, r0, #\n
	cmp	r\n, r1
	beq	1f
	movs	r0, #\n
	b	leave
1:
	.endr
	.endm

#ifdef CONFIG_FPU
	/*
	 * s0 to s31 hold seed + n, too, and FPSCR a way of rounding and flags. r0 the seed; r1, r3.
	 */
	.macro expected_fpscr register
	and	\register, r0, #0x10000
	lsls	\register, \register, #7		/* RMode, its upper bit */
	add	\register, \register, #0xa0000000
	.endm

	.macro fill_fpu registers:vararg
	.irp n, \registers
	add	r1, r0, #\n
	vmov	s\n, r1
	.endr
	expected_fpscr r1
	vmsr	fpscr, r1
	.endm

	.macro check_fpu registers:vararg
	.irp n, \registers
	add	r1, r0, #\n
	vmov	r3, s\n
	cmp	r3, r1
	beq	1f
	movs	r0, #32 + \n
	b	leave
1:
	.endr
	expected_fpscr r1
	vmrs	r3, fpscr
	cmp	r3, r1
	beq	1f
	movs	r0, #64
	b	leave
1:
	.endm

#define ALL_OF_FPU 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, KEPT_OF_FPU
#define KEPT_OF_FPU 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
#else
	.macro fill_fpu registers:vararg
	.endm

	.macro check_fpu registers:vararg
	.endm

#define ALL_OF_FPU
#define KEPT_OF_FPU
#endif

	.globl	registers_spin
	.type	registers_spin, %function
registers_spin:
	push	{r0, r1, r2, r4-r11, lr}	/* seed at 0, stop at 4, a place at 8 */
	fill_fpu ALL_OF_FPU
	fill	2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14
again:
	ldr	r0, [sp]
	add	r1, r0, #1
	mov	r0, #0xa8000000			/* N, C, Q; not Z, not V */
	msr	apsr_nzcvq, r0
	ldr	r0, [sp]
	.rept 24
	nop
	.endr
	str	r1, [sp, #8]
	mrs	r1, apsr
	lsrs	r1, r1, #27
	cmp	r1, #0x15
	beq	1f
	movs	r0, #16
	b	leave
1:
	ldr	r1, [sp]
	cmp	r0, r1
	beq	1f
	movs	r0, #17				/* r0 itself */
	b	leave
1:
	ldr	r1, [sp, #8]
	add	r0, r0, #1
	cmp	r1, r0
	beq	1f
	movs	r0, #1
	b	leave
1:
	ldr	r0, [sp]
	check	2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14
	check_fpu ALL_OF_FPU
	fill	3
	ldr	r1, [sp, #4]
	ldr	r1, [r1]
	cmp	r1, #0
	beq	again
	movs	r0, #0
leave:
	add	sp, #12
	pop	{r4-r11, pc}
	.size	registers_spin, . - registers_spin

	.globl	registers_yield
	.type	registers_yield, %function
registers_yield:
	push	{r0, r1, r2, r4-r11, lr}	/* seed at 0, rounds at 4 */
	fill_fpu KEPT_OF_FPU
	fill	4, 5, 6, 7, 8, 9, 10, 11
2:
	bl	k_yield
	ldr	r0, [sp]
	check	4, 5, 6, 7, 8, 9, 10, 11
	check_fpu KEPT_OF_FPU
	ldr	r1, [sp, #4]
	subs	r1, #1
	str	r1, [sp, #4]
	bne	2b
	movs	r0, #0
	b	leave
	.size	registers_yield, . - registers_yield
#endif
