/* SPDX-License-Identifier: Apache-2.0 */
/* The injector into a run of nops, N = 1 to 40: prints N, clocks from the store to the line's rise,
 * clocks from the rise to the handler's first instruction, the countdown one clock after the store. */
#include "soc.h"

	.globl main
main:
	addi sp, sp, -16
	sw   ra, 12(sp)
	li   t0, 1 << 11
	csrw mie, t0
	csrsi mstatus, 8
	li   s0, 1
again:
	.balign 4
	lw   s1, CYCLE(s11)    /* the clock before the store's */
	sw   s0, INJECT(s11)
	lw   s4, INJECT(s11)
	.rept 60
	nop
	.endr
	addi s1, s1, 1
	sub  s1, s2, s1
	sub  s3, s3, s2
	print s0
	print s1
	print s3
	println s4
	addi s0, s0, 1
	li   t0, 40
	ble  s0, t0, again
	lw   ra, 12(sp)
	addi sp, sp, 16
	li   a0, 0
	ret

	.balign 4
	.globl on_trap
on_trap:
	lw   s3, CYCLE(s11)
	lw   s2, INJECT_TIME(s11)
	sw   zero, INJECT_ACK(s11)
	mret
