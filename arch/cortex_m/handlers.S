/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exception handlers. An interrupt's exit is plain: the handler returns straight
 * through EXC_RETURN. Only where a switch is due PendSV is pended, and runs last.
 *
 * There is no stack to choose on the way in: the core pushes its frame with the rights of
 * what it interrupts, onto that one's stack (PSP), and enters handlers on the main stack.
 * A thread in user mode is a case of that, told by EXC_RETURN and CONTROL; only a system
 * call runs on a stack that software chooses (user.S).
 */
#include "align.inc"
#include "floating_point.inc"
#include "guard.inc"
#include <offsets.h>
#include "frames.h"
#include "trace.inc"
#include "user.inc"
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
	add r1, r1, r0, lsl #3
	ldr r0, [r1, #4]
	ldr r1, [r1]
	call_handler
	.size irq_handler, . - irq_handler

	/*
	 * From an interrupted thread to k_cpu.best. The decision is sched_preempt()'s;
	 * its usual case (the thread is queued, and what was made ready outranks it) is
	 * repeated here, the rest is the C function's.
	 */
	balign_entry
	.globl pendsv_handler
	.type pendsv_handler, %function
pendsv_handler:
	cpsid i
	ldr r3, =k_cpu
	ldrd r1, r0, [r3, #CPU_CURRENT] /* r1 from, r0 to */
	check_guard_of_preempted
#ifndef CONFIG_SWITCH_IN_C
	ldrsb r2, [r1, #THREAD_THRESHOLD]
	ldrsb r12, [r0, #THREAD_PRIO]
	cmp r12, r2
	bge NOT_DUE
	ldrb r2, [r1, #THREAD_STATE]
	cmp r2, #0x80 /* K_THREAD_QUEUED, and nothing else */
	bne .Ldecide
#ifdef CONFIG_TIMESLICING
	ldr r2, [r3, #CPU_SLICED]
	cbnz r2, .Ldecide
#endif
	str r0, [r3, #CPU_CURRENT]
#else
	b .Ldecide
#endif
.Lsave:
	mrs r2, psp
	branch_if_from_user .Lsave_user
	branch_if_from_fpu .Lsave_fpu
	ldr r12, =resume_preempted
	movs r3, #1 /* the key: masked, until resume_preempted has done its part */
	stmdb r2!, {r3-r12}
	str r2, [r1, #THREAD_SP]
	.globl cortex_m_switch_to
cortex_m_switch_to: /* from ipc.S */
.Lrestore: /* r12 resume_preempted */
	move_guard r0, r3, r2
	ldr r2, [r0, #THREAD_SP]
	ldr r3, [r2, #FRAME_PC]
	cmp r3, r12
	bne .Lto_voluntary
	load_regions_of_user
	ldmia r2!, {r3-r12}
	branch_if_to_user .Lto_user
	branch_if_to_fpu .Lto_fpu
	msr psp, r2
.Lnot_due:
	trace_thread_in_hook
	cpsie i
	bx lr

	/*
	 * It called arch_switch(): return to the middle of that through a made-up
	 * exception frame. Of the frame only r1, pc and xPSR matter.
	 */
.Lto_voluntary:
	ldr r3, =resume_voluntary_pc
	mov r12, #0x01000000 /* Thumb state */
	strd r3, r12, [r2, #EXC_PC - EXC_SIZE]
	str r0, [r2, #EXC_R1 - EXC_SIZE]
	subs r2, #EXC_SIZE
	msr psp, r2
	bx lr /* interrupts stay masked: arch_switch() restores the key */

.Ldecide:
	push {r1, lr}
	bl sched_preempt
	pop {r1, lr}
	cmp r0, r1
	bne .Lsave
	b NOT_DUE
	no_switch
	no_room_to_preempt
	preemption_of_user_mode
	preemption_of_fpu
	.ltorg
	.size pendsv_handler, . - pendsv_handler

	balign_entry
	.globl RESUME
	.type RESUME, %function
RESUME: /* from resume_preempted: below this frame lies the preempted thread's */
	load_regions_of_current
	mrs r0, psp
	branch_if_resumes_user .Lresume_user
	branch_if_resumes_fpu .Lresume_fpu
	adds r0, #EXC_SIZE
	msr psp, r0
	movs r0, #0
	msr basepri, r0
	bx lr
	resumption_of_user_mode
	resumption_of_preempted_fpu
	.size RESUME, . - RESUME

	.globl fault_handler
	.type fault_handler, %function
fault_handler: /* r0 to r3 and r12 too: the core may have failed to save them (fault.c) */
	push {r0-r12, lr}
	fast_fault
	mov r0, sp
	bl cortex_m_fault
	return_from_fault
	.size fault_handler, . - fault_handler

	zeros_of_fpu
