/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The unit's registers in rows with floating-point state (suites/ipc/calls.c): s0 to s31 hold
 * pattern + n, FPSCR a way of rounding. A system call keeps what a function keeps, s16 to s31 and
 * how to round; in the others may be nothing of others'.
 */
#define FPSCR_ROUNDING_SHIFT 22

	.syntax unified
	.thumb

	.section .text.floating_fill, "ax"
	.globl floating_fill
	.type floating_fill, %function
floating_fill: /* r0 the pattern */
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	add r1, r0, #\n
	vmov s\n, r1
	.endr
	and r1, r0, #3
	lsls r1, r1, #FPSCR_ROUNDING_SHIFT
	vmsr fpscr, r1
	bx lr
	.size floating_fill, . - floating_fill

	.section .text.floating_is, "ax"
	.globl floating_is
	.type floating_is, %function
floating_is: /* r0 the pattern */
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vmov r2, s\n
	cbz r2, 1f
	add r1, r0, #\n
	cmp r1, r2
	bne.w .Lother
1:
	.endr
	.irp n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	add r1, r0, #\n
	vmov r2, s\n
	cmp r1, r2
	bne .Lother
	.endr
	vmrs r2, fpscr
	and r1, r0, #3
	ubfx r2, r2, #FPSCR_ROUNDING_SHIFT, #2
	cmp r1, r2
	bne .Lother
	movs r0, #1
	bx lr
.Lother:
	movs r0, #0
	bx lr
	.size floating_is, . - floating_is
