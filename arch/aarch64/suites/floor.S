/* SPDX-License-Identifier: Apache-2.0 */
/* The floor on AArch64 at EL1. See suites/floor/floor.h. */
#include <arch_level.h>
#include <board.h>
#include BOARD_INTC

	/* What a call must keep. The last two words say how the context goes on. */
	.macro save_context
	stp x19, x20, [sp, #-112]!
	stp x21, x22, [sp, #16]
	stp x23, x24, [sp, #32]
	stp x25, x26, [sp, #48]
	stp x27, x28, [sp, #64]
	stp x29, x30, [sp, #80]
	.endm

	.macro restore_context
	ldp x21, x22, [sp, #16]
	ldp x23, x24, [sp, #32]
	ldp x25, x26, [sp, #48]
	ldp x27, x28, [sp, #64]
	ldp x29, x30, [sp, #80]
	ldp x19, x20, [sp], #112
	.endm

	/* One that made a call: the interrupt state. */
	.macro continue_context
	ldr x5, [sp, #96]
	restore_context
	msr daif, x5
	ret
	.endm

	.macro swap_stacks place with
	mov x6, sp
	str x6, \place
	mov sp, \with
	.endm

	/* What an interrupt must keep for the C function that it calls. */
	.macro save_interrupted
	stp x0, x1, [sp, #-160]!
	stp x2, x3, [sp, #16]
	stp x4, x5, [sp, #32]
	stp x6, x7, [sp, #48]
	stp x8, x9, [sp, #64]
	stp x10, x11, [sp, #80]
	stp x12, x13, [sp, #96]
	stp x14, x15, [sp, #112]
	stp x16, x17, [sp, #128]
	stp x18, x30, [sp, #144]
	.endm

	.macro continue_interrupted
	ldp x2, x3, [sp, #16]
	ldp x4, x5, [sp, #32]
	ldp x6, x7, [sp, #48]
	ldp x8, x9, [sp, #64]
	ldp x10, x11, [sp, #80]
	ldp x12, x13, [sp, #96]
	ldp x14, x15, [sp, #112]
	ldp x16, x17, [sp, #128]
	ldp x18, x30, [sp, #144]
	ldp x0, x1, [sp], #160
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
	sub x0, x0, #112
	str x1, [x0, #88]
	str xzr, [x0, #96]
	ret

	/* The waiter waits in a call, like any other. */
	.globl floor_prepare_waiter
	.type floor_prepare_waiter, @function
	.set floor_prepare_waiter, floor_prepare

	function floor_yield /* x0 where the other's context is */
	mrs x5, daif
	msr daifset, #2
	ldr x4, [x0]
	save_context
	str x5, [sp, #96]
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
	save_context
	str x5, [sp, #96]
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
	save_context
	str x5, [sp, #96]
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
	save_interrupted
	handle
	continue_interrupted

	/*
	 * The interrupted context: what the interrupt saved, below it what a call keeps, and where
	 * and in which state it was.
	 */
	.balign 16
switching:
	save_interrupted
	handle
	adrp x1, floor_waiter
	ldr x2, [x1, :lo12:floor_waiter]
	mrs x3, AARCH64_OWN(elr)
	mrs x4, AARCH64_OWN(spsr)
	save_context
	stp x3, x4, [sp, #96]
	swap_stacks "[x1, :lo12:floor_waiter]", x2
	continue_context

	function floor_wait
	mrs x5, daif
	msr daifset, #2
	adrp x1, floor_waiter
	ldr x2, [x1, :lo12:floor_waiter]
	save_context
	str x5, [sp, #96]
	swap_stacks "[x1, :lo12:floor_waiter]", x2
	ldp x3, x4, [sp, #96]
	restore_context
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
