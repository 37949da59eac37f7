/* SPDX-License-Identifier: Apache-2.0 */
/* See tests/kernel/registers.c. Register n holds seed + n; the flags hold a pattern too. */

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

	.globl	registers_spin
	.type	registers_spin, %function
registers_spin:
	push	{r0, r1, r2, r4-r11, lr}	/* seed at 0, stop at 4, a place at 8 */
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
	fill	4, 5, 6, 7, 8, 9, 10, 11
2:
	bl	k_yield
	ldr	r0, [sp]
	check	4, 5, 6, 7, 8, 9, 10, 11
	ldr	r1, [sp, #4]
	subs	r1, #1
	str	r1, [sp, #4]
	bne	2b
	movs	r0, #0
	b	leave
	.size	registers_yield, . - registers_yield
