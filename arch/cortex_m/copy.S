/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arch_copy_guarded(): a copy that survives a fault of the side that belongs to somebody
 * else. copy_fault.c asks where the fault was (between cortex_m_copy_begin and _end),
 * whether it was a load or a store, and what r3 calls untrusted; then it continues at
 * cortex_m_copy_faulted. All state is in registers and on the stack, so copies nest.
 *
 * The core does not say which way a faulting access went, so each access in here is an
 * instruction of 16 bits, in all of which bit 11 says "load". A buffered store faults
 * late and with another pc: the barrier before the end has it fault inside; the one
 * before the beginning keeps the caller's own out.
 */
#include <offsets.h>
#include "frames.h"

	.syntax unified
	.thumb

	/* Is `register` 0? An instruction that ARMv6-M lacks. */
	.macro branch_if_zero register, target
#ifdef CONFIG_CORTEX_M_V6M
	cmp \register, #0
	beq \target
#else
	cbz \register, \target
#endif
	.endm

	.globl cortex_m_copy_has_faulted /* it is linked with this */

	.section .text.arch_copy_guarded, "ax"
	.balign 16
	.globl arch_copy_guarded
	.type arch_copy_guarded, %function
arch_copy_guarded: /* r0 to, r1 from, r2 bytes, r3 untrusted */
	push {r4-r7, lr}
	dsb
	.globl cortex_m_copy_begin
cortex_m_copy_begin:
#ifdef CONFIG_CORTEX_M_V6M
	movs r4, r0
	eors r4, r1
#else
	eor r4, r0, r1
#endif
	lsls r4, r4, #30
	bne .Lbytes
.Lalign: /* Bound: three rounds. */
	lsls r4, r0, #30
	beq .Laligned
	branch_if_zero r2, .Ldone
	ldrb.n r4, [r1]
	strb.n r4, [r0]
	adds r1, #1
	adds r0, #1
	subs r2, #1
	b .Lalign
.Laligned:
	subs r2, #16
	blo .Lwords
.Lblock: /* Bound: bytes / 16. */
	ldmia.n r1!, {r4-r7}
	stmia.n r0!, {r4-r7}
	subs r2, #16
	bhs .Lblock
	adds r2, #16
	beq .Ldone /* most often: a step's */
	subs r2, #16
.Lwords:
	adds r2, #12 /* bytes left, less 4 */
	bmi .Lno_word
.Lword: /* Bound: three rounds. */
	ldmia.n r1!, {r4}
	stmia.n r0!, {r4}
	subs r2, #4
	bhs .Lword
.Lno_word:
	adds r2, #4
	/* Those that lie apart, too: a core may be told to take a misaligned word for a fault. */
.Lbytes:
	subs r2, #8
	blo .Lrest
.Leight: /* Bound: bytes / 8. */
	ldrb.n r4, [r1]
	ldrb.n r5, [r1, #1]
	ldrb.n r6, [r1, #2]
	ldrb.n r7, [r1, #3]
	strb.n r4, [r0]
	strb.n r5, [r0, #1]
	strb.n r6, [r0, #2]
	strb.n r7, [r0, #3]
	ldrb.n r4, [r1, #4]
	ldrb.n r5, [r1, #5]
	ldrb.n r6, [r1, #6]
	ldrb.n r7, [r1, #7]
	strb.n r4, [r0, #4]
	strb.n r5, [r0, #5]
	strb.n r6, [r0, #6]
	strb.n r7, [r0, #7]
	adds r1, #8
	adds r0, #8
	subs r2, #8
	bhs .Leight
.Lrest:
	adds r2, #8
	branch_if_zero r2, .Ldone
.Lbyte: /* Bound: seven rounds. */
	ldrb.n r4, [r1]
	strb.n r4, [r0]
	adds r1, #1
	adds r0, #1
	subs r2, #1
	bne .Lbyte
.Ldone:
	dsb
	movs r0, #0 /* a late fault comes here */
	.globl cortex_m_copy_end
cortex_m_copy_end:
	pop {r4-r7, pc}

	.globl cortex_m_copy_faulted
cortex_m_copy_faulted:
	movs r0, #COPY_FAULTED
	pop {r4-r7, pc}
	.size arch_copy_guarded, . - arch_copy_guarded
