/* SPDX-License-Identifier: Apache-2.0 */
/* Sleeps of many lengths by timer, injector and second UART, with pins moved around them: what jumps
 * over clocks must not be seen here. Prints cycle, mtime, mcycle and minstret after each. */
#include "soc.h"

	.globl main
main:
	mv   s10, ra
	li   t0, 1 << 7 | 1 << 11 | 1 << 30
	csrw mie, t0
	marker 1
	li   s0, 1
again:
	sw   s0, PINS(s11)
	li   t0, MTIME
	lw   t1, 0(t0)
	slli t2, s0, 3
	add  t1, t1, t2
	li   t0, MTIMECMP
	sw   t1, 0(t0)
	sw   zero, 4(t0)
	addi t2, t2, -4
	sw   t2, INJECT(s11)
	andi t0, s0, 7
	bnez t0, 1f
	li   t0, UART2              /* one byte on the wire every eighth time */
	sw   s0, UART2_DATA(t0)
1:	wfi
	lw   s1, CYCLE(s11)
	li   t0, MTIME
	lw   s2, 0(t0)
	csrr s3, mcycle
	csrr s4, minstret
	lw   s5, INJECT(s11)
	sw   zero, PINS(s11)
	wfi                         /* the later of the two, or the same again */
	sw   zero, INJECT(s11)
	li   t0, MTIMECMP
	li   t1, -1
	sw   t1, 0(t0)
	sw   t1, 4(t0)
	print s1
	print s2
	print s3
	print s4
	println s5
	addi s0, s0, 1
	li   t0, 200
	blt  s0, t0, again
	mv   ra, s10
	li   a0, 0
	ret
