/* SPDX-License-Identifier: Apache-2.0 */
/* What a random program stands in (random_program.py): its registers' first values, its instructions, and
 * at the end all registers, how often and why it trapped, and a sum over its memory. */
#include "soc.h"
#define MIDDLE 4096

	.globl main
main:
	la   x26, buffer + MIDDLE
	/* Words of the buffer that are not 0. */
	la   t0, buffer
	li   t1, 2048
	li   t2, 0x12345677
1:	sw   t2, 0(t0)
	li   t3, 1664525
	mul  t2, t2, t3
	addi t2, t2, 0x3F
	addi t0, t0, 4
	addi t1, t1, -1
	bnez t1, 1b
	la   t0, saved
	sw   ra, 0(t0)
	sw   zero, 4(t0)
	csrw mscratch, zero
	csrw mtval, zero
	csrw mcause, zero
	csrw mepc, zero
VALUES
#ifdef MARK
	li   x5, 1
	sw   x5, MARKER(x27)
#endif
	j    l0
STREAM
#ifdef MARK
	sw   zero, MARKER(x27)
#endif
	la   x26, registers
	.irp n, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 28, 29, 30, 31
	sw   x\n, 4 * \n(x26)
	.endr
	csrr s0, mscratch
	println s0
	csrr s0, mcause
	println s0
	csrr s0, mepc
	println s0
	la   s0, registers
	li   s1, 32
1:	lw   s2, 0(s0)
	println s2
	addi s0, s0, 4
	addi s1, s1, -1
	bnez s1, 1b
	la   s0, buffer
	li   s1, 2048
	li   s2, 0
1:	lw   s3, 0(s0)
	slli s4, s2, 5
	srli s2, s2, 27
	or   s2, s2, s4
	add  s2, s2, s3
	addi s0, s0, 4
	addi s1, s1, -1
	bnez s1, 1b
	println s2
	la   s0, saved
	lw   s1, 4(s0)
	println s1
	lw   ra, 0(s0)
	li   a0, 0
	ret

	/* Changes nothing but the sum of what trapped, and mepc. x2 is nobody else's. */
	.globl on_trap
on_trap:
	la   x2, saved
	sw   x5, 8(x2)
	sw   x6, 12(x2)
	sw   x7, 16(x2)
	lw   x5, 4(x2)
	slli x6, x5, 7
	srli x5, x5, 25
	or   x5, x5, x6
	csrr x6, mcause
	add  x5, x5, x6
#ifdef WITH_TVAL
	csrr x6, mtval
	add  x5, x5, x6
#endif
	sw   x5, 4(x2)
	csrr x5, mepc
	lhu  x6, 0(x5)
	andi x6, x6, 3
	addi x6, x6, -3
	seqz x6, x6
	slli x6, x6, 1
	addi x6, x6, 2
	add  x5, x5, x6
	csrw mepc, x5
	csrw mtval, zero
	li   x5, 3 << 11
	csrs mstatus, x5
	lw   x5, 8(x2)
	lw   x6, 12(x2)
	lw   x7, 16(x2)
	mret

	.data
	.balign 8
saved:	.space 32
registers: .space 128
	.balign 4096
buffer:	.space 8192
