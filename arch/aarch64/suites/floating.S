/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The registers in rows with floating-point state (suites/ipc/calls.c): both halves of v0 to v31
 * hold pattern + n, FPCR a way of rounding. A system call keeps what a function keeps, the lower
 * halves of v8 to v15 and FPCR; in the others may be nothing of others'. (A fast message keeps
 * all.)
 */
#define FPCR_ROUNDING_SHIFT 22

	.section .text.floating_fill, "ax"
	.globl floating_fill
	.type floating_fill, %function
floating_fill: /* x0 the pattern */
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	add x1, x0, #\n
	dup v\n\().2d, x1
	.endr
	.irp n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	add x1, x0, #\n
	dup v\n\().2d, x1
	.endr
	and x1, x0, #3
	lsl x1, x1, #FPCR_ROUNDING_SHIFT
	msr fpcr, x1
	ret
	.size floating_fill, . - floating_fill

	/* To 1f where x2 is neither x1 nor nothing. */
	.macro own_or_nothing
	cmp x2, #0
	ccmp x2, x1, #4, ne
	b.ne 1f
	.endm

	.section .text.floating_is, "ax"
	.globl floating_is
	.type floating_is, %function
floating_is: /* x0 the pattern */
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	add x1, x0, #\n
	mov x2, v\n\().d[1]
	own_or_nothing
	mov x2, v\n\().d[0]
	own_or_nothing
	.endr
	.irp n, 8, 9, 10, 11, 12, 13, 14, 15
	add x1, x0, #\n
	fmov x2, d\n
	cmp x1, x2
	b.ne 1f
	.endr
	mrs x2, fpcr
	and x1, x0, #3
	ubfx x2, x2, #FPCR_ROUNDING_SHIFT, #2
	cmp x1, x2
	b.ne 1f
	mov w0, #1
	ret
1:	mov w0, #0
	ret
	.size floating_is, . - floating_is
