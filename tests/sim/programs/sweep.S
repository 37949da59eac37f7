/* SPDX-License-Identifier: Apache-2.0 */
/* A window of 20 instructions with the interrupt 16 open, but for four in its middle; it fails if that comes in
 * front of the instruction `weak`. */
#include "soc.h"
#define FAST0 (1 << 16)
#define MIE   8

	.globl main
main:
	mv   s10, ra
	li   t0, FAST0
	csrw mie, t0
	li   s0, 0
	li   s1, 0
	csrsi mstatus, MIE
	marker 5
	.rept 8
	addi s1, s1, 1
	.endr
weak:
	addi s1, s1, 1
	csrci mstatus, MIE
	.rept 4
	addi s1, s1, 1
	.endr
	csrsi mstatus, MIE
	.rept 4
	addi s1, s1, 1
	.endr
	marker_end
	nop
	mv   ra, s10
	mv   a0, s0
	println s1
	mv   a0, s0
	mv   ra, s10
	ret

	.globl on_trap
on_trap:
	li   s2, 1
	sw   s2, LOWER(s11)
	csrr s3, mepc
	la   s4, weak
	sub  s4, s3, s4
	seqz s4, s4
	or   s0, s0, s4
	mret
