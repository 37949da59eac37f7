/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arch_copy_guarded(): a copy that survives a fault of the side that belongs to somebody
 * else. trap.S asks where the fault was (between arch_copy_guarded and riscv_copy_end),
 * whether it was a load or a store, and what a3 calls untrusted; then it continues at
 * riscv_copy_faulted. All state is in caller-saved registers, so copies nest. Rejected:
 * probing before copying, which is a second walk, and no answer to what changes meanwhile.
 *
 * Words where both sides can be aligned alike, else bytes, eight at a time: nothing here is
 * misaligned. A core whose stores report their errors by an interrupt, later, is not served.
 */
#include <offsets.h>
#include "frames.h"

	.section .text.arch_copy_guarded, "ax"
	.balign 16
	.globl arch_copy_guarded
	.type arch_copy_guarded, @function
arch_copy_guarded: /* a0 to, a1 from, a2 bytes, a3 untrusted */
	/* In a handler a fault overwrites what the outer mret needs: the fix-up restores it. */
	csrr t5, mepc
	csrr t6, mstatus
	xor t0, a0, a1
	andi t0, t0, REGBYTES - 1
	bnez t0, .Lbytes
.Lalign: /* Bound: REGBYTES - 1. */
	andi t0, a0, REGBYTES - 1
	beqz t0, .Laligned
	beqz a2, .Ldone
	lbu t1, 0(a1)
	sb t1, 0(a0)
	addi a1, a1, 1
	addi a0, a0, 1
	addi a2, a2, -1
	j .Lalign
.Laligned:
	li t4, REGBYTES * 4
	bltu a2, t4, .Lwords
.Lblock: /* Bound: B / (4 * REGBYTES). */
	REG_L t0, 0(a1)
	REG_L t1, REGBYTES * 1(a1)
	REG_L t2, REGBYTES * 2(a1)
	REG_L t3, REGBYTES * 3(a1)
	REG_S t0, 0(a0)
	REG_S t1, REGBYTES * 1(a0)
	REG_S t2, REGBYTES * 2(a0)
	REG_S t3, REGBYTES * 3(a0)
	addi a2, a2, -REGBYTES * 4
	addi a1, a1, REGBYTES * 4
	addi a0, a0, REGBYTES * 4
	bgeu a2, t4, .Lblock
.Lwords:
	li t4, REGBYTES
	bltu a2, t4, .Lbytes
.Lword: /* Bound: 3. */
	REG_L t0, 0(a1)
	REG_S t0, 0(a0)
	addi a2, a2, -REGBYTES
	addi a1, a1, REGBYTES
	addi a0, a0, REGBYTES
	bgeu a2, t4, .Lword
.Lbytes:
	beqz a2, .Ldone
	li t4, 8
	bltu a2, t4, .Lbyte
.Leight: /* Bound: B / 8: what lies apart, at 2.5 instructions a byte. */
	lbu t0, 0(a1)
	lbu t1, 1(a1)
	lbu t2, 2(a1)
	lbu t3, 3(a1)
	sb t0, 0(a0)
	sb t1, 1(a0)
	sb t2, 2(a0)
	sb t3, 3(a0)
	lbu t0, 4(a1)
	lbu t1, 5(a1)
	lbu t2, 6(a1)
	lbu t3, 7(a1)
	sb t0, 4(a0)
	sb t1, 5(a0)
	sb t2, 6(a0)
	sb t3, 7(a0)
	addi a2, a2, -8
	addi a1, a1, 8
	addi a0, a0, 8
	bgeu a2, t4, .Leight
	beqz a2, .Ldone
.Lbyte: /* Bound: 7. */
	lbu t0, 0(a1)
	sb t0, 0(a0)
	addi a2, a2, -1
	addi a1, a1, 1
	addi a0, a0, 1
	bnez a2, .Lbyte
.Ldone:
	li a0, 0
	ret
	.globl riscv_copy_end
riscv_copy_end:

	/* Of mstatus only what an mret takes, MPP and MPIE; the rest is as it should be. */
	.globl riscv_copy_faulted
riscv_copy_faulted:
	csrw mepc, t5
	li t0, MSTATUS_MPP | MSTATUS_MPIE
	and t6, t6, t0
	csrc mstatus, t0
	csrs mstatus, t6
	li a0, COPY_FAULTED
	ret
	.size arch_copy_guarded, . - arch_copy_guarded
