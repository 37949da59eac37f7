/* SPDX-License-Identifier: Apache-2.0 */
/* The floor in machine mode. See suites/floor/floor.h. */
#include <arch_width.h>
#include "../frame.inc"

#define MSTATUS_MIE  8
#define MSTATUS_TRAP 0x1880 /* MPP machine, MPIE: as after the trap that is undone */

	/* A context that made a call: what a call must keep, and the interrupt state. */
	.macro save_context key
	addi sp, sp, -FRAME_SIZE
	save_callee_saved \key
	.endm

	.macro continue_context
	restore_callee_saved a5
	addi sp, sp, FRAME_SIZE
	csrs mstatus, a5
	ret
	.endm

	.macro continue_interrupted
	restore_caller_saved
	addi sp, sp, IRQ_FRAME_SIZE
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
	addi a0, a0, -FRAME_SIZE
	REG_S a1, FRAME_RA(a0)
	li a5, MSTATUS_MIE
	REG_S a5, FRAME_KEY(a0)
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
	save_caller_saved
	call floor_handler
	continue_interrupted

	/* The interrupted context: what the interrupt saved, below it what a call keeps. */
	.balign 16
switching:
	save_caller_saved
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
	restore_callee_saved t0
	addi sp, sp, FRAME_SIZE
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
