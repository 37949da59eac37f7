/* SPDX-License-Identifier: Apache-2.0 */
/* Moves signal pins at known distances: set, 10 instructions, set another, 5, clear the first, write
 * all. Prints the clock before the first and the pins as read back. */
#include "soc.h"

	.option norvc

	.globl main
main:
	mv   s5, ra
	li   s0, 1 << 0        /* thread_any */
	li   s1, 1 << 3        /* isr */
	li   s2, 1 << 31       /* thread_15 */
	li   s4, 1 << 8        /* no name: not in the VCD */
	nop
	lw   s3, CYCLE(s11)
	sw   s0, PINS_SET(s11)
	.rept 10
	nop
	.endr
	sw   s1, PINS_SET(s11)
	.rept 5
	nop
	.endr
	sw   s0, PINS_CLEAR(s11)
	sw   s4, PINS_SET(s11)
	sw   s2, PINS(s11)
	print s3
	lw   s0, PINS(s11)
	println s0
	mv   ra, s5
	li   a0, 0
	ret
