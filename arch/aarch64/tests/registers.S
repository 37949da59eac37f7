/* SPDX-License-Identifier: Apache-2.0 */
/* See tests/kernel/registers.c. Register n holds seed + n, where the seed is in both halves. */

#define SEED  96
#define STOP  104 /* or rounds */
#define SPARE 112

	.macro enter
	stp x19, x20, [sp, #-128]!
	stp x21, x22, [sp, #16]
	stp x23, x24, [sp, #32]
	stp x25, x26, [sp, #48]
	stp x27, x28, [sp, #64]
	stp x29, x30, [sp, #80]
	orr x0, x0, x0, lsl #32
	stp x0, x1, [sp, #SEED]
	.endm

	.macro fill registers:vararg
	.irp n, \registers
	add x\n, x0, #\n
	.endr
	.endm

	/* x0 is the seed; x1 is used. */
	.macro check registers:vararg
	.irp n, \registers
	add x1, x0, #\n
	cmp x\n, x1
	b.eq 1f
	mov x0, #\n
	b leave
1:
	.endr
	.endm

	.text
	.globl registers_spin
	.type registers_spin, @function
registers_spin:
	enter
	fill 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
again:
	ldr x0, [sp, #SEED]
	add x1, x0, #1
	.rept 24
	nop
	.endr
	str x1, [sp, #SPARE]
	ldr x1, [sp, #SEED]
	cmp x0, x1
	b.eq 1f
	mov x0, #32 /* 0 is right */
	b leave
1:
	ldr x1, [sp, #SPARE]
	sub x1, x1, #1
	cmp x0, x1
	b.eq 1f
	mov x0, #1
	b leave
1:
	check 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
	ldr x1, [sp, #STOP]
	ldr w1, [x1]
	cbz w1, again
	mov x0, #0
leave:
	ldp x21, x22, [sp, #16]
	ldp x23, x24, [sp, #32]
	ldp x25, x26, [sp, #48]
	ldp x27, x28, [sp, #64]
	ldp x29, x30, [sp, #80]
	ldp x19, x20, [sp], #128
	ret
	.size registers_spin, . - registers_spin

	.globl registers_yield
	.type registers_yield, @function
registers_yield:
	enter
	fill 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
2:
	bl k_yield
	ldr x0, [sp, #SEED]
	check 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
	ldr x1, [sp, #STOP]
	subs x1, x1, #1
	str x1, [sp, #STOP]
	b.ne 2b
	mov x0, #0
	b leave
	.size registers_yield, . - registers_yield
