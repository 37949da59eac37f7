/* SPDX-License-Identifier: Apache-2.0 */
/* The PMP's eight entries, over and over, with random contents that concern a buffer alone, and locks
 * that mseccfg.RLB lets go again; then loads and stores there, with the rights of user mode (mstatus.MPRV) and of
 * machine mode. Prints how many were refused, how many were done, and a sum of which. */
#include "soc.h"
#define ROUNDS 400
#define PROBES 16
#define MPRV   (1 << 17)
#define MPP    (3 << 11)

	.macro random register
	li   t6, 1664525
	mul  s0, s0, t6
	li   t6, 1013904223
	add  s0, s0, t6
	srli \register, s0, 8
	.endm

	/* An address in the buffer, in half of all cases with ones at its end. */
	.macro region n
	random t0
	andi t1, t0, 0x3FF
	srli t2, t0, 12
	andi t2, t2, 7
	li   t3, 1
	sll  t3, t3, t2
	addi t3, t3, -1
	or   t1, t1, t3
	add  t1, t1, s1
	csrw pmpaddr\n, t1
	.endm

	.globl main
main:
	mv   s10, ra
	li   s0, SEED
	la   s1, buffer
	srli s1, s1, 2
	li   s2, 0
	li   s3, 0
	li   s4, 0
	li   s5, ROUNDS
	csrsi 0x747, 4
round:
	/* Nothing is locked while they are written. */
	csrw pmpcfg0, zero
	csrw pmpcfg1, zero
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7
	region \n
	.endr
	random t0
	random t1
	slli t1, t1, 16
	xor  t0, t0, t1
	li   t1, 0x9F9F9F97 /* no range from 0 on */
	and  t0, t0, t1
	csrw pmpcfg0, t0
	random t0
	random t1
	slli t1, t1, 16
	xor  t0, t0, t1
	csrw pmpcfg1, t0
	csrr t0, pmpcfg0
	add  s4, s4, t0
	csrr t0, pmpcfg1
	add  s4, s4, t0
	li   s6, PROBES
probe:
	random t0
	li   t1, 0xFFF
	and  t1, t1, t0
	la   s7, buffer
	add  s7, s7, t1
	li   s8, 0
	li   t2, MPP
	csrc mstatus, t2
	li   t2, MPRV
	csrs mstatus, t2
	lbu  t3, 0(s7)
	sb   s6, 0(s7)
	lw   t3, 0(s7)
	sw   s5, 0(s7)
	li   t2, MPRV
	csrc mstatus, t2
	lh   t3, 0(s7)
	sh   s6, 0(s7)
	add  s2, s2, s8
	li   t2, 6
	sub  t2, t2, s8
	add  s3, s3, t2
	slli t2, s4, 3
	srli s4, s4, 29
	or   s4, s4, t2
	add  s4, s4, s8
	add  s4, s4, t3
	addi s6, s6, -1
	bnez s6, probe
	addi s5, s5, -1
	bnez s5, round
	csrw pmpcfg0, zero
	csrw pmpcfg1, zero
	println s2
	println s3
	println s4
	mv   ra, s10
	li   a0, 0
	ret

	/* Counted, and passed over, with MPRV as it was: MPP is user mode's again by then. */
	.globl on_trap
on_trap:
	csrr t4, mcause
	csrr t5, mtval
	add  s4, s4, t4
	add  s4, s4, t5
	addi s8, s8, 1
	csrr t4, mepc
	lhu  t5, 0(t4)
	andi t5, t5, 3
	addi t5, t5, -3
	seqz t5, t5
	slli t5, t5, 1
	addi t5, t5, 2
	add  t4, t4, t5
	csrw mepc, t4
	li   t5, MPP
	csrs mstatus, t5
	mret

	.data
	.balign 4096
	.space 4096
buffer:	.space 8192
