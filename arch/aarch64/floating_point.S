/* SPDX-License-Identifier: Apache-2.0 */
/* What there is to do where the words differ that floating_point.inc compares. */
#include "floating_point.inc"

	/*
	 * x16: whose registers are on from now on, or 0. Masked. Changes x17 and x18, which becomes
	 * 0: the kernel has it so (arch_user.h), and who comes here from elsewhere has saved it.
	 */
	.section .text.aarch64_fpu_to, "ax"
	.balign 16
	.globl aarch64_fpu_to
	.type aarch64_fpu_to, @function
aarch64_fpu_to:
	adrp x17, aarch64_fpu
	add x17, x17, :lo12:aarch64_fpu
	str x16, [x17]
	cbz x16, 3f
	fpu_turn_on x18
	ldr x18, [x17, #8]
	cmp x18, x16
	b.eq 2f
	str x16, [x17, #8]
	cbz x18, 1f
	fpu_save x18, x17
1:	fpu_load x16, x17
2:	mov x18, #0
	ret
3:	fpu_turn_off x18
	mov x18, #0
	ret
	.size aarch64_fpu_to, . - aarch64_fpu_to

	/* The same for C. */
	.globl aarch64_fpu_turn_to
	.type aarch64_fpu_turn_to, @function
aarch64_fpu_turn_to:
	mov x16, x0
	b aarch64_fpu_to
	.size aarch64_fpu_turn_to, . - aarch64_fpu_turn_to

	/*
	 * What a function may change is zeros: v0 to v7, v16 to v31, the upper halves of the
	 * others, and what FPSR sums up. Changes none else.
	 */
	.section .text.aarch64_fpu_wipe, "ax"
	.balign 16
	.globl aarch64_fpu_wipe
	.type aarch64_fpu_wipe, @function
aarch64_fpu_wipe:
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	movi v\n\().2d, #0
	.endr
	.irp n, 8, 9, 10, 11, 12, 13, 14, 15
	mov v\n\().8b, v\n\().8b
	.endr
	msr fpsr, xzr
	ret
	.size aarch64_fpu_wipe, . - aarch64_fpu_wipe
