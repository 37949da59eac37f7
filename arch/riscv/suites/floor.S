/* SPDX-License-Identifier: Apache-2.0 */
/* The floor in machine mode. See suites/floor/floor.h. */
#include <arch_width.h>

#define MSTATUS_MIE  8
#define MSTATUS_TRAP 0x1880 /* MPP machine, MPIE: as after the trap that is undone */

	/* A context that made a call: what a call must keep, and the interrupt state. */
	.macro save_context key
	addi sp, sp, -REGBYTES * 16
	REG_S ra, 0(sp)
	REG_S s0, REGBYTES * 1(sp)
	REG_S s1, REGBYTES * 2(sp)
	REG_S s2, REGBYTES * 3(sp)
	REG_S s3, REGBYTES * 4(sp)
	REG_S s4, REGBYTES * 5(sp)
	REG_S s5, REGBYTES * 6(sp)
	REG_S s6, REGBYTES * 7(sp)
	REG_S s7, REGBYTES * 8(sp)
	REG_S s8, REGBYTES * 9(sp)
	REG_S s9, REGBYTES * 10(sp)
	REG_S s10, REGBYTES * 11(sp)
	REG_S s11, REGBYTES * 12(sp)
	REG_S \key, REGBYTES * 13(sp)
	.endm

	.macro continue_context
	REG_L ra, 0(sp)
	REG_L a5, REGBYTES * 13(sp)
	REG_L s0, REGBYTES * 1(sp)
	REG_L s1, REGBYTES * 2(sp)
	REG_L s2, REGBYTES * 3(sp)
	REG_L s3, REGBYTES * 4(sp)
	REG_L s4, REGBYTES * 5(sp)
	REG_L s5, REGBYTES * 6(sp)
	REG_L s6, REGBYTES * 7(sp)
	REG_L s7, REGBYTES * 8(sp)
	REG_L s8, REGBYTES * 9(sp)
	REG_L s9, REGBYTES * 10(sp)
	REG_L s10, REGBYTES * 11(sp)
	REG_L s11, REGBYTES * 12(sp)
	addi sp, sp, REGBYTES * 16
	csrs mstatus, a5
	ret
	.endm

	/* What an interrupt must keep for the C function that it calls. */
	.macro save_interrupted
	addi sp, sp, -REGBYTES * 16
	REG_S ra, 0(sp)
	REG_S t0, REGBYTES * 1(sp)
	REG_S t1, REGBYTES * 2(sp)
	REG_S t2, REGBYTES * 3(sp)
	REG_S a0, REGBYTES * 4(sp)
	REG_S a1, REGBYTES * 5(sp)
	REG_S a2, REGBYTES * 6(sp)
	REG_S a3, REGBYTES * 7(sp)
	REG_S a4, REGBYTES * 8(sp)
	REG_S a5, REGBYTES * 9(sp)
	REG_S a6, REGBYTES * 10(sp)
	REG_S a7, REGBYTES * 11(sp)
	REG_S t3, REGBYTES * 12(sp)
	REG_S t4, REGBYTES * 13(sp)
	REG_S t5, REGBYTES * 14(sp)
	REG_S t6, REGBYTES * 15(sp)
	.endm

	.macro continue_interrupted
	REG_L ra, 0(sp)
	REG_L t0, REGBYTES * 1(sp)
	REG_L t1, REGBYTES * 2(sp)
	REG_L t2, REGBYTES * 3(sp)
	REG_L a0, REGBYTES * 4(sp)
	REG_L a1, REGBYTES * 5(sp)
	REG_L a2, REGBYTES * 6(sp)
	REG_L a3, REGBYTES * 7(sp)
	REG_L a4, REGBYTES * 8(sp)
	REG_L a5, REGBYTES * 9(sp)
	REG_L a6, REGBYTES * 10(sp)
	REG_L a7, REGBYTES * 11(sp)
	REG_L t3, REGBYTES * 12(sp)
	REG_L t4, REGBYTES * 13(sp)
	REG_L t5, REGBYTES * 14(sp)
	REG_L t6, REGBYTES * 15(sp)
	addi sp, sp, REGBYTES * 16
	mret
	.endm

	.macro function name
	.section .text.\name, "ax"
	.balign 16
	.globl \name
	.type \name, @function
\name:
	.endm

	function floor_prepare /* a0 top, a1 entry */
	andi a0, a0, -16
	addi a0, a0, -REGBYTES * 16
	REG_S a1, 0(a0)
	li a5, MSTATUS_MIE
	REG_S a5, REGBYTES * 13(a0)
	ret

	/* The waiter waits in a call, like any other. */
	.globl floor_prepare_waiter
	.type floor_prepare_waiter, @function
	.set floor_prepare_waiter, floor_prepare

	function floor_yield /* a0 where the other's context is */
	csrrci a5, mstatus, MSTATUS_MIE
	REG_L a4, 0(a0)
	save_context a5
	REG_S sp, 0(a0)
	mv sp, a4
	continue_context

	function floor_sem_give /* a0 semaphore: count, waiter, ready */
	csrrci a5, mstatus, MSTATUS_MIE
	lw a4, 0(a0)
	addi a4, a4, 1
	sw a4, 0(a0)
	blez a4, 1f
	csrs mstatus, a5
	ret
1:	REG_L a4, REGBYTES * 1(a0)
	save_context a5
	REG_S sp, REGBYTES * 2(a0)
	mv sp, a4
	li a0, 0 /* what the waiter's take returns */
	continue_context

	function floor_sem_take
	csrrci a5, mstatus, MSTATUS_MIE
	lw a4, 0(a0)
	addi a4, a4, -1
	sw a4, 0(a0)
	bltz a4, 1f
	csrs mstatus, a5
	li a0, 0
	ret
1:	REG_L a4, REGBYTES * 2(a0)
	save_context a5
	REG_S sp, REGBYTES * 1(a0)
	mv sp, a4
	continue_context

	function floor_mutex_lock /* a0 mutex: owner, levels */
	REG_L a5, floor_current
	REG_L a4, 0(a0)
	lw a3, REGBYTES * 1(a0)
	bne a4, a5, 1f
	addi a3, a3, 1
	sw a3, REGBYTES * 1(a0)
	li a0, 0
	ret
1:	li a0, -1
	ret

	function floor_mutex_unlock
	REG_L a5, floor_current
	REG_L a4, 0(a0)
	lw a3, REGBYTES * 1(a0)
	bne a4, a5, 1f
	addi a3, a3, -1
	beqz a3, 1f /* the last level would have to look for waiters */
	sw a3, REGBYTES * 1(a0)
	li a0, 0
	ret
1:	li a0, -1
	ret

	/* Every cause leads to one place: no other interrupt is enabled. */
	.section .text.floor_vectors, "ax"
	.balign 256
	.option push
	.option norvc
	.globl floor_vectors_returning
floor_vectors_returning:
	.rept 32
	j returning
	.endr
	.balign 256
	.globl floor_vectors_switching
floor_vectors_switching:
	.rept 32
	j switching
	.endr
	.option pop

	.balign 16
returning:
	save_interrupted
	call floor_handler
	continue_interrupted

	/* The interrupted context: what the interrupt saved, below it what a call keeps. */
	.balign 16
switching:
	save_interrupted
	call floor_handler
	la t1, floor_waiter
	REG_L t2, 0(t1)
	csrr t0, mepc
	save_context t0
	REG_S sp, 0(t1)
	mv sp, t2
	continue_context

	function floor_wait
	csrrci a5, mstatus, MSTATUS_MIE
	la t1, floor_waiter
	REG_L t2, 0(t1)
	save_context a5
	REG_S sp, 0(t1)
	mv sp, t2
	REG_L t0, REGBYTES * 13(sp)
	REG_L s0, REGBYTES * 1(sp)
	REG_L s1, REGBYTES * 2(sp)
	REG_L s2, REGBYTES * 3(sp)
	REG_L s3, REGBYTES * 4(sp)
	REG_L s4, REGBYTES * 5(sp)
	REG_L s5, REGBYTES * 6(sp)
	REG_L s6, REGBYTES * 7(sp)
	REG_L s7, REGBYTES * 8(sp)
	REG_L s8, REGBYTES * 9(sp)
	REG_L s9, REGBYTES * 10(sp)
	REG_L s10, REGBYTES * 11(sp)
	REG_L s11, REGBYTES * 12(sp)
	addi sp, sp, REGBYTES * 16
	csrw mepc, t0
	li t1, MSTATUS_TRAP
	csrs mstatus, t1
	continue_interrupted

	.section .sbss.near, "aw", @nobits
	.balign REGBYTES
	.globl floor_current
floor_current:
	.zero REGBYTES
	.globl floor_waiter
floor_waiter:
	.zero REGBYTES
