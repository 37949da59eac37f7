/* SPDX-License-Identifier: Apache-2.0 */
/* The floor on RV32 in machine mode. See suites/floor/floor.h. */

#define MSTATUS_MIE  8
#define MSTATUS_TRAP 0x1880 /* MPP machine, MPIE: as after the trap that is undone */

	/* A context that made a call: what a call must keep, and the interrupt state. */
	.macro save_context key
	addi sp, sp, -64
	sw ra, 0(sp)
	sw s0, 4(sp)
	sw s1, 8(sp)
	sw s2, 12(sp)
	sw s3, 16(sp)
	sw s4, 20(sp)
	sw s5, 24(sp)
	sw s6, 28(sp)
	sw s7, 32(sp)
	sw s8, 36(sp)
	sw s9, 40(sp)
	sw s10, 44(sp)
	sw s11, 48(sp)
	sw \key, 52(sp)
	.endm

	.macro continue_context
	lw ra, 0(sp)
	lw a5, 52(sp)
	lw s0, 4(sp)
	lw s1, 8(sp)
	lw s2, 12(sp)
	lw s3, 16(sp)
	lw s4, 20(sp)
	lw s5, 24(sp)
	lw s6, 28(sp)
	lw s7, 32(sp)
	lw s8, 36(sp)
	lw s9, 40(sp)
	lw s10, 44(sp)
	lw s11, 48(sp)
	addi sp, sp, 64
	csrs mstatus, a5
	ret
	.endm

	/* What an interrupt must keep for the C function that it calls. */
	.macro save_interrupted
	addi sp, sp, -64
	sw ra, 0(sp)
	sw t0, 4(sp)
	sw t1, 8(sp)
	sw t2, 12(sp)
	sw a0, 16(sp)
	sw a1, 20(sp)
	sw a2, 24(sp)
	sw a3, 28(sp)
	sw a4, 32(sp)
	sw a5, 36(sp)
	sw a6, 40(sp)
	sw a7, 44(sp)
	sw t3, 48(sp)
	sw t4, 52(sp)
	sw t5, 56(sp)
	sw t6, 60(sp)
	.endm

	.macro continue_interrupted
	lw ra, 0(sp)
	lw t0, 4(sp)
	lw t1, 8(sp)
	lw t2, 12(sp)
	lw a0, 16(sp)
	lw a1, 20(sp)
	lw a2, 24(sp)
	lw a3, 28(sp)
	lw a4, 32(sp)
	lw a5, 36(sp)
	lw a6, 40(sp)
	lw a7, 44(sp)
	lw t3, 48(sp)
	lw t4, 52(sp)
	lw t5, 56(sp)
	lw t6, 60(sp)
	addi sp, sp, 64
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
	addi a0, a0, -64
	sw a1, 0(a0)
	li a5, MSTATUS_MIE
	sw a5, 52(a0)
	ret

	/* The waiter waits in a call, like any other. */
	.globl floor_prepare_waiter
	.type floor_prepare_waiter, @function
	.set floor_prepare_waiter, floor_prepare

	function floor_yield /* a0 where the other's context is */
	csrrci a5, mstatus, MSTATUS_MIE
	lw a4, 0(a0)
	save_context a5
	sw sp, 0(a0)
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
1:	lw a4, 4(a0)
	save_context a5
	sw sp, 8(a0)
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
1:	lw a4, 8(a0)
	save_context a5
	sw sp, 4(a0)
	mv sp, a4
	continue_context

	function floor_mutex_lock /* a0 mutex: owner, levels */
	lw a5, floor_current
	lw a4, 0(a0)
	lw a3, 4(a0)
	bne a4, a5, 1f
	addi a3, a3, 1
	sw a3, 4(a0)
	li a0, 0
	ret
1:	li a0, -1
	ret

	function floor_mutex_unlock
	lw a5, floor_current
	lw a4, 0(a0)
	lw a3, 4(a0)
	bne a4, a5, 1f
	addi a3, a3, -1
	beqz a3, 1f /* the last level would have to look for waiters */
	sw a3, 4(a0)
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
	lw t2, 0(t1)
	csrr t0, mepc
	save_context t0
	sw sp, 0(t1)
	mv sp, t2
	continue_context

	function floor_wait
	csrrci a5, mstatus, MSTATUS_MIE
	la t1, floor_waiter
	lw t2, 0(t1)
	save_context a5
	sw sp, 0(t1)
	mv sp, t2
	lw t0, 52(sp)
	lw s0, 4(sp)
	lw s1, 8(sp)
	lw s2, 12(sp)
	lw s3, 16(sp)
	lw s4, 20(sp)
	lw s5, 24(sp)
	lw s6, 28(sp)
	lw s7, 32(sp)
	lw s8, 36(sp)
	lw s9, 40(sp)
	lw s10, 44(sp)
	lw s11, 48(sp)
	addi sp, sp, 64
	csrw mepc, t0
	li t1, MSTATUS_TRAP
	csrs mstatus, t1
	continue_interrupted

	.section .sbss.near, "aw", @nobits
	.balign 4
	.globl floor_current
floor_current:
	.zero 4
	.globl floor_waiter
floor_waiter:
	.zero 4
