/* SPDX-License-Identifier: Apache-2.0 */
/* User mode behind the PMP: it may execute the text and touch one word; prints mcause, mtval and the
 * privilege it came from (mstatus.MPP) for each thing it tries. */
#include "soc.h"
#define NAPOT_RX 0x1D
#define NA4_RW   0x13

	.globl main
main:
	mv   s10, ra
	/* Region 0: one word; region 1: the first 4 KiB of the RAM, execute and read. */
	la   t0, allowed
	srli t0, t0, 2
	csrw pmpaddr0, t0
	li   t0, (RAM >> 2) | 0x1FF
	csrw pmpaddr1, t0
	li   t0, NA4_RW | NAPOT_RX << 8
	csrw pmpcfg0, t0

	la   s0, tries
next:
	lw   t0, 0(s0)
	beqz t0, done
	addi s0, s0, 4
	csrw mepc, t0
	li   t0, 3 << 11
	csrc mstatus, t0
	la   a1, allowed
	la   a2, denied
	mret

done:
	mv   ra, s10
	li   a0, 0
	ret

	.globl on_trap
on_trap:
	csrr s1, mcause
	csrr s2, mtval
	csrr s3, mstatus
	srli s3, s3, 11
	andi s3, s3, 3
	print s1
	print s2
	println s3
	j    next

try_call:    ecall
try_load:    lw   a0, 0(a2)
try_store:   sw   a0, 0(a2)
try_fetch:   jr   a2
try_word:    lw   a0, 0(a1)
	     sw   a0, 0(a1)
	     lw   a0, 4(a1)
try_text:    sw   a0, 0(s0)
try_csr:     csrr a0, mstatus

	.balign 4
tries:	.word try_call, try_load, try_store, try_fetch, try_word, try_text, try_csr, 0

	.data
	.balign 4096
denied:	.word 0x73, 0
	.balign 64
allowed: .word 1, 2
