/* SPDX-License-Identifier: Apache-2.0 */
/* The floor on AArch64 at EL1. See suites/floor/floor.h. */
#include <arch_level.h>
#include <board.h>
#include BOARD_INTC
#include "../frame.inc"

	/* One that made a call: its key, and what a call must keep; the last two words are keys. */
	.macro continue_context
	ldr x5, [sp, #FRAME_KEY]
	restore_callee_saved
	msr daif, x5
	ret
	.endm

	.macro swap_stacks place with
	mov x6, sp
	str x6, \place
	mov sp, \with
	.endm

	.macro continue_interrupted
	restore_caller_saved
	eret
	.endm

	.macro function name
	.section .text.\name, "ax"
	.balign 16
	.globl \name
	.type \name, @function
\name:
	.endm

	function floor_prepare /* x0 top, x1 entry */
	and x0, x0, #-16
	sub x0, x0, #FRAME_SIZE
	str x1, [x0, #FRAME_X(30)]
	str xzr, [x0, #FRAME_KEY]
	ret

	/* The waiter waits in a call, like any other. */
	.globl floor_prepare_waiter
	.type floor_prepare_waiter, @function
	.set floor_prepare_waiter, floor_prepare

	function floor_yield /* x0 where the other's context is */
	mrs x5, daif
	msr daifset, #2
	ldr x4, [x0]
	save_callee_saved
	str x5, [sp, #FRAME_KEY]
	swap_stacks "[x0]", x4
	continue_context

	function floor_sem_give /* x0 semaphore: count, waiter, ready */
	mrs x5, daif
	msr daifset, #2
	ldr w4, [x0]
	adds w4, w4, #1
	str w4, [x0]
	b.le 1f
	msr daif, x5
	ret
1:	ldr x4, [x0, #8]
	save_callee_saved
	str x5, [sp, #FRAME_KEY]
	swap_stacks "[x0, #16]", x4
	mov x0, #0 /* what the waiter's take returns */
	continue_context

	function floor_sem_take
	mrs x5, daif
	msr daifset, #2
	ldr w4, [x0]
	subs w4, w4, #1
	str w4, [x0]
	b.lt 1f
	msr daif, x5
	mov w0, #0
	ret
1:	ldr x4, [x0, #16]
	save_callee_saved
	str x5, [sp, #FRAME_KEY]
	swap_stacks "[x0, #8]", x4
	continue_context

	.macro load_current register
	adrp \register, floor_current
	ldr \register, [\register, :lo12:floor_current]
	.endm

	function floor_mutex_lock /* x0 mutex: owner, levels */
	load_current x5
	ldr x4, [x0]
	ldr w3, [x0, #8]
	cmp x4, x5
	b.ne 1f
	add w3, w3, #1
	str w3, [x0, #8]
	mov w0, #0
	ret
1:	mov w0, #-1
	ret

	function floor_mutex_unlock
	load_current x5
	ldr x4, [x0]
	ldr w3, [x0, #8]
	cmp x4, x5
	b.ne 1f
	subs w3, w3, #1
	b.eq 1f /* the last level would have to look for waiters */
	str w3, [x0, #8]
	mov w0, #0
	ret
1:	mov w0, #-1
	ret

	/* A table with one way in; whatever else comes is the kernel's, as an exception. */
	.macro vectors interrupt
	.balign 2048
	.rept 5
	b aarch64_exception
	.balign 128
	.endr
	b \interrupt
	.rept 10
	.balign 128
	b aarch64_exception
	.endr
	.endm

	.section .text.floor_vectors, "ax"
	.balign 2048
	.globl floor_vectors_returning
floor_vectors_returning:
	vectors returning
	.balign 2048
	.globl floor_vectors_switching
floor_vectors_switching:
	vectors switching

	.macro handle
	intc_take 1f
	bl floor_handler
	intc_end
1:
	.endm

	.balign 16
returning:
	save_caller_saved
	handle
	continue_interrupted

	/*
	 * The interrupted context: what the interrupt saved, below it what a call keeps, and where
	 * and in which state it was.
	 */
	.balign 16
switching:
	save_caller_saved
	handle
	adrp x1, floor_waiter
	ldr x2, [x1, :lo12:floor_waiter]
	mrs x3, AARCH64_OWN(elr)
	mrs x4, AARCH64_OWN(spsr)
	save_callee_saved
	stp x3, x4, [sp, #FRAME_KEY]
	swap_stacks "[x1, :lo12:floor_waiter]", x2
	continue_context

	function floor_wait
	mrs x5, daif
	msr daifset, #2
	adrp x1, floor_waiter
	ldr x2, [x1, :lo12:floor_waiter]
	save_callee_saved
	str x5, [sp, #FRAME_KEY]
	swap_stacks "[x1, :lo12:floor_waiter]", x2
	ldp x3, x4, [sp, #FRAME_KEY]
	restore_callee_saved
	msr AARCH64_OWN(elr), x3
	msr AARCH64_OWN(spsr), x4
	continue_interrupted

	.section .bss.floor, "aw", @nobits
	.balign 8
	.globl floor_current
floor_current:
	.zero 8
	.globl floor_waiter
floor_waiter:
	.zero 8
