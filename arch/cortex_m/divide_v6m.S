/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Division on ARMv6-M, which has no instruction for it, in few bytes (CONFIG_SIZE_OPTIMIZATIONS):
 * 150 in the place of the compiler's library's 1,400. A bit a round: 32 or 64 rounds, which are all
 * that a quotient takes. Who divides is printing and conversions of time; no row of the latency
 * suite does.
 *
 * Names and registers are those of Arm's run-time ABI. By zero: all ones, and the dividend for a
 * remainder.
 */
	.syntax unified
	.thumb

	.macro function name
	.section .text.\name, "ax"
	.balign 4
	.globl \name
	.type \name, %function
\name:
	.endm

	/* r0 by r1: quotient in r0, remainder in r1. Bound: 32. */
	function __aeabi_uidivmod
	.globl __aeabi_uidiv
	.thumb_set __aeabi_uidiv, __aeabi_uidivmod
	movs r2, #0
	movs r3, #32
1:	adds r0, r0, r0
	adcs r2, r2
	bcs 2f
	cmp r2, r1
	blo 3f
2:	subs r2, r2, r1
	adds r0, #1
3:	subs r3, #1
	bne 1b
	mov r1, r2
	bx lr
	.size __aeabi_uidivmod, . - __aeabi_uidivmod

	/* r1:r0 by r3:r2: quotient in r1:r0, remainder in r3:r2. Bound: 64. */
	function __aeabi_uldivmod
	push {r4-r6, lr}
	movs r4, #0
	movs r5, #0
	movs r6, #64
1:	adds r0, r0, r0
	adcs r1, r1
	adcs r4, r4
	adcs r5, r5
	bcs 2f
	cmp r5, r3
	blo 3f
	bhi 2f
	cmp r4, r2
	blo 3f
2:	subs r4, r4, r2
	sbcs r5, r3
	adds r0, #1
3:	subs r6, #1
	bne 1b
	mov r2, r4
	mov r3, r5
	pop {r4-r6, pc}
	.size __aeabi_uldivmod, . - __aeabi_uldivmod

	/* The same with signs: the remainder has the dividend's. */
	.macro negate low, high
	movs r6, #0
	rsbs \low, \low, #0
	sbcs r6, \high
	mov \high, r6
	.endm

	function __aeabi_ldivmod
	push {r4-r6, lr}
	mov r4, r1 /* the remainder's sign */
	mov r5, r1
	eors r5, r3 /* the quotient's */
	cmp r1, #0
	bge 1f
	negate r0, r1
1:	cmp r3, #0
	bge 1f
	negate r2, r3
1:	bl __aeabi_uldivmod
	cmp r5, #0
	bge 1f
	negate r0, r1
1:	cmp r4, #0
	bge 1f
	negate r2, r3
1:	pop {r4-r6, pc}
	.size __aeabi_ldivmod, . - __aeabi_ldivmod
