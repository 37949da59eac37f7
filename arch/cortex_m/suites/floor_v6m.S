/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The floor on ARMv6-M, whose instructions reach r8 to r11 by moves only. See suites/floor/floor.h.
 */
#include <board.h>

	.syntax unified
	.thumb

	.macro function name
	.section .text.\name, "ax"
	.balign 16
	.globl \name
	.type \name, %function
\name:
	.endm

	/*
	 * The running context's: r3, then r8 to r11, r4 to r7 and where to go on. Changes r4 to r7.
	 */
	.macro push_context
	push {r4-r7, lr}
	mov r4, r8
	mov r5, r9
	mov r6, r10
	mov r7, r11
	push {r3-r7}
	.endm

	/* The other's, up to what it masked. */
	.macro pop_context
	pop {r3-r7}
	mov r8, r4
	mov r9, r5
	mov r10, r6
	mov r11, r7
	msr primask, r3
	pop {r4-r7, pc}
	.endm

	/* A context that made a call: the interrupt state, what a call must keep, lr. */
	function floor_prepare /* r0 top, r1 entry */
	lsrs r0, r0, #3
	lsls r0, r0, #3
	subs r0, #40
	movs r2, #0
	str r2, [r0]
	str r1, [r0, #36]
	bx lr

	function floor_yield /* r0 where the other's context is */
	mrs r3, primask
	cpsid i
	push_context
	mov r1, sp
	ldr r2, [r0]
	str r1, [r0]
	mov sp, r2
	pop_context

	function floor_sem_give /* r0 semaphore: count, waiter, ready */
	mrs r3, primask
	cpsid i
	ldr r2, [r0]
	adds r2, #1
	str r2, [r0]
	ble 1f
	msr primask, r3
	bx lr
1:	push_context
	mov r1, sp
	ldr r2, [r0, #4]
	str r1, [r0, #8]
	mov sp, r2
	movs r0, #0 /* what the waiter's take returns */
	pop_context

	function floor_sem_take
	mrs r3, primask
	cpsid i
	ldr r2, [r0]
	subs r2, #1
	str r2, [r0]
	bmi 1f
	movs r0, #0
	msr primask, r3
	bx lr
1:	push_context
	mov r1, sp
	ldr r2, [r0, #8]
	str r1, [r0, #4]
	mov sp, r2
	pop_context

	function floor_mutex_lock /* r0 mutex: owner, levels */
	ldr r1, =floor_current
	ldr r2, [r0]
	ldr r1, [r1]
	cmp r1, r2
	bne 1f
	ldr r3, [r0, #4]
	adds r3, #1
	str r3, [r0, #4]
	movs r0, #0
	bx lr
1:	movs r0, #0
	mvns r0, r0
	bx lr

	function floor_mutex_unlock
	ldr r1, =floor_current
	ldr r2, [r0]
	ldr r1, [r1]
	cmp r1, r2
	bne 1f
	ldr r3, [r0, #4]
	subs r3, #1
	beq 1f /* the last level would have to look for waiters */
	str r3, [r0, #4]
	movs r0, #0
	bx lr
1:	movs r0, #0
	mvns r0, r0
	bx lr

	/*
	 * A context that waits for an interrupt: an exception frame, below it what the
	 * hardware does not save, r8 to r11 lowest. It waits in the middle of floor_wait().
	 */
	function floor_prepare_waiter /* r0 top, r1 entry */
	lsrs r0, r0, #3
	lsls r0, r0, #3
	subs r0, #64
	lsrs r1, r1, #1 /* the Thumb bit stands in xPSR */
	lsls r1, r1, #1
	str r1, [r0, #32 + 24]
	movs r2, #1
	lsls r2, r2, #24
	str r2, [r0, #32 + 28]
	bx lr

	function floor_wait
	ldr r0, =0xE000ED04 /* ICSR */
	movs r1, #1
	lsls r1, r1, #28 /* PENDSVSET */
	str r1, [r0]
	isb
	bx lr

	/* The vectors: floor_v6m.c. The line's way in lies in front of the window. */
	.altmacro
	.macro line_vector n
	.globl cortex_m_vector_\n
	.type cortex_m_vector_\n, %function
cortex_m_vector_\n:
	.endm
	.section .text.floor_line, "ax"
	line_vector %BOARD_SOFT_IRQ
	.noaltmacro
	ldr r0, =floor_handler
	bx r0

	.globl cortex_m_vector_pendsv
	.thumb_set cortex_m_vector_pendsv, floor_pendsv

	/* PendSV runs when the handler has returned, or at once from a thread. */
	function floor_pendsv
	mrs r0, psp
	ldr r3, =floor_waiter
	subs r0, #16
	stmia r0!, {r4-r7}
	subs r0, #32
	ldr r1, [r3]
	str r0, [r3]
	mov r4, r8
	mov r5, r9
	mov r6, r10
	mov r7, r11
	stmia r0!, {r4-r7}
	ldmia r1!, {r4-r7}
	mov r8, r4
	mov r9, r5
	mov r10, r6
	mov r11, r7
	ldmia r1!, {r4-r7}
	msr psp, r1
	bx lr

	.bss
	.balign 4
	.globl floor_current
floor_current:
	.zero 4
	.globl floor_waiter
floor_waiter:
	.zero 4
