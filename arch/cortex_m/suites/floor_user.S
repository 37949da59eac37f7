/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The floor of user mode on ARMv7-M: see suites/floor/floor.h. Calls have numbers that
 * the kernel's have not, -3 to -1, in r12, and come first; all other calls go on to
 * the kernel. The handler does the work itself: what it runs on is the main stack, and what a
 * function may change comes back as the caller had it, but for the result.
 */
#include <board.h>

#define EXC_R0  0
#define EXC_R12 16

	.syntax unified
	.thumb

	.macro function name
	.section .text.\name, "ax"
	.balign 16
	.globl \name
	.type \name, %function
\name:
	.endm

	/* In user mode. */
	function floor_call_null
	mvn r12, #2
	svc #0
	bx lr

	function floor_call_checked /* r0 object */
	mvn r12, #1
	svc #0
	bx lr

	function floor_call_copy /* r0 to */
	mvn r12, #0
	svc #0
	bx lr

	/*
	 * Out of user mode? Kernel mode's own are none of these. Registers are known by the frame
	 * alone.
	 */
	function floor_svc
	mrs r1, control
	lsls r1, r1, #31
	beq 1f
	mrs r1, psp
	ldr r12, [r1, #EXC_R12]
	ldr r2, =calls
	mvn r12, r12
	cmp r12, #3
	bhs 1f
	ldr pc, [r2, r12, lsl #2]
1:	b.w svc_handler

	.balign 4
calls:	.word copy + 1, checked + 1, null + 1

	.macro back_to_user
	str r0, [r1, #EXC_R0]
	bx lr
	.endm

	.thumb_func
null:
	movs r0, #0
	back_to_user

	.thumb_func
checked:
	ldr r0, [r1, #EXC_R0]
	eor r2, r0, #BOARD_RAM_BASE
	cmp r2, #BOARD_RAM_SIZE
	bhs 1f
	ldrb r2, [r0] /* the index, if it is one; a byte is always aligned */
	ldr r3, =floor_objects
	and r2, r2, #63 /* FLOOR_OBJECTS: an entry that is another's does not lead back */
	ldr r2, [r3, r2, lsl #2]
	cmp r2, r0
	bne 1f
	movs r0, #0
	back_to_user
1:	mvn r0, #0
	back_to_user

	.thumb_func
copy:
	ldr r2, =floor_range
	ldr r0, [r1, #EXC_R0]
	ldrd r2, r3, [r2]
	subs r2, r0, r2
	cmp r2, r3
	bhi 1f
	ldr r3, =floor_word
	ldr r3, [r3]
	str r3, [r0]
	movs r0, #0
	back_to_user
1:	mvn r0, #0
	back_to_user

	/*
	 * Regions 2 and 3 are a stack's, 4 to 7 a domain's (mpu.c). RBAR and RASR, with three
	 * more of the like behind: four regions at once, where each says which it is.
	 */
#define MPU_RNR  0xE000ED98
#define MPU_RBAR 0xE000ED9C

	function floor_regions_read /* r0 to */
	push {r4, lr}
	ldr r1, =MPU_RNR
	movs r2, #2
1:	str r2, [r1]
	ldrd r3, r4, [r1, #4]
	orr r3, r3, #0x10 /* VALID */
	stmia r0!, {r3, r4}
	adds r2, #1
	cmp r2, #8
	bne 1b
	pop {r4, pc}

	function floor_regions_write_stack /* r0 from */
	ldr r12, =MPU_RBAR
	ldmia r0, {r0-r3}
	stmia r12, {r0-r3}
	dsb
	bx lr

	function floor_regions_write_all
	push {r4-r9, lr}
	ldr r12, =MPU_RBAR
	ldmia r0!, {r2-r9}
	stmia r12, {r2-r9}
	ldmia r0, {r2-r5}
	stmia r12, {r2-r5}
	dsb
	pop {r4-r9, pc}
