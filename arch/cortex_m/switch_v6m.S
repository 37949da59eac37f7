/* SPDX-License-Identifier: Apache-2.0 */
/*
 * switch.S for ARMv6-M, whose instructions reach r8 to r11 by moves only: so these lie lower in a
 * switch frame than r4 to r7 (frames.h).
 *
 * There is no BASEPRI either, under which switch.S resumes a preempted thread. Here PendSV does it,
 * the least urgent of all: `resume_preempted` pends it and lets interrupts in. Whatever comes
 * first finds that frame below its own; PendSV comes before the thread goes on, and drops it
 * (handlers_v6m.S), whether it then goes on with this thread or another. So no stack grows.
 */
#include "align.inc"
#include <offsets.h>
#include "frames.h"
#include "trace.inc"

	.syntax unified
	.thumb

	.section .text.arch_switch, "ax"
	balign_entry
	.globl arch_switch
	.type arch_switch, %function
arch_switch: /* r0 from, r1 to, r2 key */
	push {r4-r7, lr}
	mov r4, r8
	mov r5, r9
	mov r6, r10
	mov r7, r11
	push {r2, r4-r7}
	mov r3, sp
	str r3, [r0, #THREAD_SP]
	.globl cortex_m_switch_saved
cortex_m_switch_saved:
.Lcontinue:
	ldr r3, [r1, #THREAD_SP]
	mov sp, r3
	.globl resume_voluntary_pc /* an address, no function: bit 0 is not set in it */
resume_voluntary_pc:
	.globl resume_voluntary
	.type resume_voluntary, %function
resume_voluntary: /* r1 to; from handlers_v6m.S */
	pop {r2, r4-r7}
	mov r8, r4
	mov r9, r5
	mov r10, r6
	mov r11, r7
	ldr r0, [r1, #THREAD_WAKE_VALUE]
	trace_switched_hook
	msr primask, r2
	pop {r4-r7, pc}
	.size arch_switch, . - arch_switch

	.globl resume_preempted_pc
resume_preempted_pc:
	.globl resume_preempted
	.type resume_preempted, %function
resume_preempted:
	ldr r0, =0xE000ED04 /* ICSR */
	movs r1, #1
	lsls r1, r1, #28 /* PENDSVSET */
	str r1, [r0]
	cpsie i
	isb
1:	b 1b
	.size resume_preempted, . - resume_preempted
	.if . - resume_preempted_pc != RESUME_PREEMPTED_SIZE
	.error "RESUME_PREEMPTED_SIZE in frames.h"
	.endif

#include "start.inc"
