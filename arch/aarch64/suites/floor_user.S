/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The floor of user mode on AArch64: see suites/floor/floor.h. Calls have numbers that the kernel's
 * have not, -3 to -1, and come first; whatever else arrives goes on to the kernel's entry, which
 * needs what user mode had in x18 as little as this.
 */
#include <arch_level.h>
#include <board.h>

#define ESR_EC_SHIFT 26
#define EC_SVC       0x15

	.macro address register symbol
	adrp \register, \symbol
	add \register, \register, :lo12:\symbol
	.endm

	/* PAN: around what is user mode's. */
	.macro users_pages closed
#ifdef CONFIG_AARCH64_PAN
	msr pan, #\closed
#endif
	.endm

	.macro function name
	.section .text.\name, "ax"
	.balign 16
	.globl \name
	.type \name, @function
\name:
	.endm

	/* In user mode. */
	.macro call_number name number
	function \name
	mov x8, #\number
	svc #0
	ret
	.endm

	call_number floor_call_null, -3
	call_number floor_call_checked, -2 /* x0 object */
	call_number floor_call_copy, -1 /* x0 to */

	.macro vectors exception interrupt
	.balign 128
	b \exception
	.balign 128
	b \interrupt
	.balign 128
	b \exception
	.balign 128
	b \exception
	.endm

	.section .text.floor_user_vectors, "ax"
	.balign 2048
	.globl floor_vectors_calls
floor_vectors_calls:
	vectors aarch64_exception, aarch64_exception
	vectors aarch64_exception, aarch64_interrupt
	vectors entry, aarch64_interrupt
	vectors aarch64_exception, aarch64_exception

	.balign 64
entry:
	mrs x18, AARCH64_OWN(esr)
	lsr w18, w18, #ESR_EC_SHIFT
	cmp w18, #EC_SVC
	b.ne aarch64_user_exception
	add x9, x8, #3
	cmp x9, #3
	b.hs aarch64_user_exception
	adr x10, calls
	add x10, x10, x9, lsl #6
	br x10

	.macro back_to_user registers:vararg
	.irp register, \registers
	mov \register, #0
	.endr
	mov x18, #1
	eret
	.endm

	.balign 64
calls:
	mov x0, #0
	back_to_user x9, x10

	.balign 64
	b checked

	.balign 64
	address x10, floor_range
	ldp x9, x10, [x10]
	sub x9, x0, x9
	cmp x9, x10
	b.hi refused
	adrp x10, floor_word
	ldr w10, [x10, :lo12:floor_word]
	users_pages 0
	str w10, [x0]
	users_pages 1
	mov x0, #0
	back_to_user x9, x10

	.balign 16
checked:
	mov x9, #BOARD_RAM_BASE
	sub x9, x0, x9
	mov x10, #BOARD_RAM_SIZE
	cmp x9, x10
	b.hs refused
	users_pages 0
	ldrb w9, [x0] /* the index, if it is one */
	users_pages 1
	and w9, w9, #63 /* FLOOR_OBJECTS: an entry that is another's does not lead back */
	address x10, floor_objects
	ldr x10, [x10, x9, lsl #3]
	cmp x10, x0
	b.ne refused
	mov x0, #0
	back_to_user x9, x10
refused:
	mov x0, #-1
	back_to_user x9, x10

	/* Tables are loaded by one register, whatever is in them: a stack's and a domain's. */
	function floor_regions_read /* x0 to */
	mrs x1, AARCH64_USER_TTBR
	str x1, [x0]
	ret

	function floor_regions_write_stack /* x0 from */
	ldr x1, [x0]
	msr AARCH64_USER_TTBR, x1
	isb
	ret

	.globl floor_regions_write_all
	.type floor_regions_write_all, @function
	.set floor_regions_write_all, floor_regions_write_stack
