/* SPDX-License-Identifier: Apache-2.0 */
/* See tests/kernel/registers.c. Register n holds seed + n, where the seed is in both halves. */

#include "../frame.inc"

#define SEED  96
#define STOP  104 /* or rounds */
#define SPARE 112

#define FLOATING 128 /* what a function keeps of it */
#ifdef CONFIG_FPU
#define FRAME 192
#else
#define FRAME 128
#endif

	.macro enter
	save_callee_saved FRAME
#ifdef CONFIG_FPU
	stp d8, d9, [sp, #FLOATING]
	stp d10, d11, [sp, #FLOATING + 16]
	stp d12, d13, [sp, #FLOATING + 32]
	stp d14, d15, [sp, #FLOATING + 48]
#endif
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

#ifdef CONFIG_FPU
	/*
	 * v0 to v31 hold seed + n in both halves, too, and FPCR a way of rounding. x1 and x2 are
	 * used, x2 again the seed's when it is looked at.
	 */
	.macro expected_fpcr register
	and \register, x0, #3
	lsl \register, \register, #22
	.endm

	.macro fill_one n
	dup v\n\().2d, x1
	.endm

	.macro read_one n, half
	mov x2, v\n\().d[\half]
	.endm

	.macro fill_fpu registers:vararg
	.irp n, \registers
	add x1, x0, #\n
	fill_one \n
	.endr
	expected_fpcr x1
	msr fpcr, x1
	.endm

	.macro check_fpu half registers:vararg
	.irp n, \registers
	add x1, x0, #\n
	read_one \n, \half
	cmp x2, x1
	b.eq 1f
	mov x0, #64 + \n
	b leave
1:
	.endr
	mrs x2, fpcr
	expected_fpcr x1
	cmp x2, x1
	b.eq 1f
	mov x0, #96
	b leave
1:
	.endm

#define CALLEES 8, 9, 10, 11, 12, 13, 14, 15
#define ALL     0, 1, 2, 3, 4, 5, 6, 7, CALLEES, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
#else
	.macro fill_fpu registers:vararg
	.endm

	.macro check_fpu half registers:vararg
	.endm

#define CALLEES 0
#define ALL     0
#endif

	.text
	.globl registers_spin
	.type registers_spin, @function
registers_spin:
	enter
	fill_fpu ALL
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
	check_fpu 0 ALL
	check_fpu 1 ALL
	add x2, x0, #2
	ldr x1, [sp, #STOP]
	ldr w1, [x1]
	cbz w1, again
	mov x0, #0
leave:
#ifdef CONFIG_FPU
	msr fpcr, xzr
	ldp d8, d9, [sp, #FLOATING]
	ldp d10, d11, [sp, #FLOATING + 16]
	ldp d12, d13, [sp, #FLOATING + 32]
	ldp d14, d15, [sp, #FLOATING + 48]
#endif
	restore_callee_saved FRAME
	ret
	.size registers_spin, . - registers_spin

	.globl registers_yield
	.type registers_yield, @function
registers_yield:
	enter
	fill_fpu CALLEES
	fill 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
2:
	bl k_yield
	ldr x0, [sp, #SEED]
	check 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
	check_fpu 0 CALLEES
	ldr x1, [sp, #STOP]
	subs x1, x1, #1
	str x1, [sp, #STOP]
	b.ne 2b
	mov x0, #0
	b leave
	.size registers_yield, . - registers_yield
