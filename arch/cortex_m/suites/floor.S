/* SPDX-License-Identifier: Apache-2.0 */
/* The floor on ARMv7-M. See suites/floor/floor.h. */

	.syntax unified
	.thumb

	.macro function name
	.section .text.\name, "ax"
	.balign 16
	.globl \name
	.type \name, %function
\name:
	.endm

	/* A context that made a call: the interrupt state, what a call must keep, lr. */
	function floor_prepare /* r0 top, r1 entry */
	bic r0, r0, #7
	subs r0, #40
	movs r2, #0
	str r2, [r0]
	str r1, [r0, #36]
	bx lr

	function floor_yield /* r0 where the other's context is */
	mrs r1, primask
	cpsid i
	push {r1, r4-r11, lr}
	ldr r2, [r0]
	str sp, [r0]
	mov sp, r2
	pop {r1, r4-r11, lr}
	msr primask, r1
	bx lr

	function floor_sem_give /* r0 semaphore: count, waiter, ready */
	mrs r1, primask
	cpsid i
	ldr r2, [r0]
	adds r2, #1
	str r2, [r0]
	ble 1f
	msr primask, r1
	bx lr
1:	push {r1, r4-r11, lr}
	ldr r2, [r0, #4]
	str sp, [r0, #8]
	mov sp, r2
	pop {r1, r4-r11, lr}
	movs r0, #0 /* what the waiter's take returns */
	msr primask, r1
	bx lr

	function floor_sem_take
	mrs r1, primask
	cpsid i
	ldr r2, [r0]
	subs r2, #1
	str r2, [r0]
	bmi 1f
	movs r0, #0
	msr primask, r1
	bx lr
1:	push {r1, r4-r11, lr}
	ldr r2, [r0, #8]
	str sp, [r0, #4]
	mov sp, r2
	pop {r1, r4-r11, lr}
	msr primask, r1
	bx lr

	function floor_mutex_lock /* r0 mutex: owner, levels */
	ldr r1, =floor_current
	ldrd r2, r3, [r0]
	ldr r1, [r1]
	cmp r1, r2
	bne 1f
	adds r3, #1
	str r3, [r0, #4]
	movs r0, #0
	bx lr
1:	mvn r0, #0
	bx lr

	function floor_mutex_unlock
	ldr r1, =floor_current
	ldrd r2, r3, [r0]
	ldr r1, [r1]
	cmp r1, r2
	bne 1f
	subs r3, #1
	beq 1f /* the last level would have to look for waiters */
	str r3, [r0, #4]
	movs r0, #0
	bx lr
1:	mvn r0, #0
	bx lr

	/*
	 * A context that waits for an interrupt: an exception frame, below it what the
	 * hardware does not save. It waits in the middle of floor_wait().
	 */
	function floor_prepare_waiter /* r0 top, r1 entry */
	bic r0, r0, #7
	subs r0, #64
	bic r1, r1, #1 /* the Thumb bit stands in xPSR */
	str r1, [r0, #32 + 24]
	mov r2, #0x01000000
	str r2, [r0, #32 + 28]
	bx lr

	function floor_wait
	ldr r0, =0xE000ED04 /* ICSR */
	mov r1, #0x10000000 /* PENDSVSET */
	str r1, [r0]
	isb
	bx lr

	/* PendSV runs when the handler has returned, or at once from a thread. */
	function floor_pendsv
	mrs r0, psp
	ldr r2, =floor_waiter
	stmdb r0!, {r4-r11}
	ldr r1, [r2]
	str r0, [r2]
	ldmia r1!, {r4-r11}
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
