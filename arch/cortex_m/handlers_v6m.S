/* SPDX-License-Identifier: Apache-2.0 */
/*
 * handlers.S for ARMv6-M: the same in its instructions. See switch_v6m.S for what resumes a
 * preempted thread.
 */
#include "align.inc"
#include <offsets.h>
#include "frames.h"
#include "trace.inc"
#include "vectors.inc"

	.syntax unified
	.thumb

	.section .text.handlers, "ax"
	balign_entry
	.globl irq_handler
	.type irq_handler, %function
irq_handler: /* a tail call: lr stays EXC_RETURN */
	mrs r0, ipsr
	ldr r1, =irq_table - 16 * 8
	lsls r0, r0, #3
	adds r1, r1, r0
	ldr r0, [r1, #4]
	ldr r1, [r1]
	call_handler
	.size irq_handler, . - irq_handler

	balign_entry
	.globl pendsv_handler
	.type pendsv_handler, %function
pendsv_handler:
	cpsid i
	mrs r2, psp
	ldr r3, [r2, #EXC_PC]
	ldr r1, =resume_preempted_pc
	subs r3, r3, r1
	cmp r3, #RESUME_PREEMPTED_SIZE
	bhs 1f
	adds r2, #EXC_SIZE /* below lies the frame of the thread that it was about to resume */
	msr psp, r2
1:
	ldr r3, =k_cpu
	ldr r1, [r3, #CPU_CURRENT] /* r1 from, r0 to */
	ldr r0, [r3, #CPU_BEST]
#ifndef CONFIG_SWITCH_IN_C
	mov r12, r3
	movs r3, #THREAD_THRESHOLD
	ldrsb r2, [r1, r3]
	movs r3, #THREAD_PRIO
	ldrsb r3, [r0, r3]
	cmp r3, r2
	bge .Lnot_due
	ldrb r2, [r1, #THREAD_STATE]
	cmp r2, #0x80 /* K_THREAD_QUEUED, and nothing else */
	bne .Ldecide
	mov r3, r12
#ifdef CONFIG_TIMESLICING
	ldr r2, [r3, #CPU_SLICED]
	cmp r2, #0
	bne .Ldecide
#endif
	str r0, [r3, #CPU_CURRENT]
#else
	b .Ldecide
#endif
.Lsave:
	mrs r2, psp
	subs r2, #FRAME_SIZE
	str r2, [r1, #THREAD_SP]
	movs r3, #1 /* the key: masked, until resume_preempted has done its part */
	ldr r1, =resume_preempted
	str r3, [r2]
	str r1, [r2, #FRAME_PC]
	adds r2, #FRAME_R4
	stmia r2!, {r4-r7}
	mov r4, r8
	mov r5, r9
	mov r6, r10
	mov r7, r11
	subs r2, #FRAME_PC - FRAME_R8
	stmia r2!, {r4-r7}
.Lrestore:
	ldr r2, [r0, #THREAD_SP]
	ldr r3, [r2, #FRAME_PC]
	ldr r1, =resume_preempted
	cmp r3, r1
	bne .Lto_voluntary
	adds r2, #FRAME_R8
	ldmia r2!, {r4-r7}
	mov r8, r4
	mov r9, r5
	mov r10, r6
	mov r11, r7
	ldmia r2!, {r4-r7}
	adds r2, #FRAME_SIZE - FRAME_PC
	msr psp, r2
.Lnot_due:
	trace_thread_in_hook
	cpsie i
	bx lr

	/* Through a made-up exception frame, of which r1, pc and xPSR matter. */
.Lto_voluntary:
	subs r2, #EXC_SIZE
	ldr r3, =resume_voluntary_pc
	str r3, [r2, #EXC_PC]
	movs r3, #1
	lsls r3, r3, #24 /* Thumb state */
	str r3, [r2, #EXC_PC + 4]
	str r0, [r2, #EXC_R1]
	msr psp, r2
	bx lr /* interrupts stay masked: arch_switch() restores the key */

.Ldecide:
	push {r1, lr}
	bl sched_preempt
	pop {r1, r3}
	mov lr, r3
	cmp r0, r1
	bne .Lsave
	b .Lnot_due
	.size pendsv_handler, . - pendsv_handler

	.globl svc_handler
	.type svc_handler, %function
svc_handler: /* nobody makes supervisor calls here */
	.globl fault_handler
	.type fault_handler, %function
fault_handler:
	sub sp, #56
	str r0, [sp, #0]
	str r1, [sp, #4]
	str r2, [sp, #8]
	str r3, [sp, #12]
	str r4, [sp, #16]
	str r5, [sp, #20]
	str r6, [sp, #24]
	str r7, [sp, #28]
	mov r0, r8
	str r0, [sp, #32]
	mov r0, r9
	str r0, [sp, #36]
	mov r0, r10
	str r0, [sp, #40]
	mov r0, r11
	str r0, [sp, #44]
	mov r0, r12
	str r0, [sp, #48]
	mov r0, lr
	str r0, [sp, #52]
	mov r0, sp
	bl cortex_m_fault
	ldr r0, [sp, #52]
	add sp, #56
	bx r0
	.size fault_handler, . - fault_handler
