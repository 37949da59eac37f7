/* SPDX-License-Identifier: Apache-2.0 */
/* The injector polled with interrupts masked: prints the line and the countdown after arming, when
 * due, after the acknowledgement, after disarming, and after arming again while the line is high. */
#include "soc.h"

	.macro state
	lw   s1, INJECT_ACK(s11)
	print s1
	lw   s1, INJECT(s11)
	sltu s1, zero, s1
	println s1
	.endm

	.macro arm clocks
	li   t0, \clocks
	sw   t0, INJECT(s11)
	.endm

	.macro wait
	li   t0, 200
1:	addi t0, t0, -1
	bnez t0, 1b
	.endm

	.globl main
main:
	addi sp, sp, -16
	sw   ra, 12(sp)
	arm  10000
	state                  /* 0 1 */
	arm  100
	wait
	state                  /* 1 0 */
	csrr s1, mip
	println s1             /* 800 */
	sw   zero, INJECT_ACK(s11)
	state                  /* 0 0 */
	arm  100
	arm  0
	wait
	state                  /* 0 0 */
	arm  1
	arm  10000
	state                  /* 0 1 */
	sw   zero, INJECT(s11)
	state                  /* 0 0 */
	lw   ra, 12(sp)
	addi sp, sp, 16
	li   a0, 0
	ret
