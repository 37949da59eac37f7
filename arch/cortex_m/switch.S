/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The context switch of a thread that asks for it: a function call, in thread mode,
 * without an exception. Only what a call must preserve is saved.
 *
 * A thread that was preempted (PendSV, handlers.S) has an exception frame, which only
 * an exception return restores whole (the execution state of an interrupted LDM or IT
 * block is not reachable otherwise). On top of it lies a switch frame like any other,
 * whose return address is `resume_preempted`; so the switch needs not ask what kind of
 * thread it continues.
 *
 * The same way a thread goes on that has used floating point (CONFIG_FPU, floating_point.inc):
 * below its frame lie s16 to s31 and FPSCR, and that frame returns to `resume_fpu`.
 */
#include "align.inc"
#include "floating_point.inc"
#include "guard.inc"
#include <offsets.h>
#include "frames.h"
#include "priority.h"
#include "trace.inc"
#include "user.inc"

	.syntax unified
	.thumb

	.section .text.arch_switch, "ax"
	balign_entry
	.globl arch_switch
	.type arch_switch, %function
arch_switch: /* r0 from, r1 to, r2 key */
	check_guard r0, sp, r3, .Lno_room
	save_fpu
	push {r2, r4-r11, lr}
	str sp, [r0, #THREAD_SP]
	/* a fault before is `from`'s, one behind is `to`'s: switch_fault.h */
	.globl cortex_m_switch_saved
cortex_m_switch_saved:
.Lcontinue:
	ldr sp, [r1, #THREAD_SP]
	move_guard r1, r3, r12
	.globl resume_voluntary_pc /* an address, no function: bit 0 is not set in it */
resume_voluntary_pc:
	.globl resume_voluntary
	.type resume_voluntary, %function
resume_voluntary: /* r1 to; from handlers.S */
	ldmia sp!, {r2, r4-r11, lr}
	ldr r0, [r1, #THREAD_WAKE_VALUE]
	trace_switched_hook
	msr primask, r2
	bx lr
	no_room_to_switch
	.size arch_switch, . - arch_switch

	/*
	 * Interrupts are masked by PRIMASK, under which an SVC would be a fault. BASEPRI
	 * takes over, so that none comes between here and the SVC handler; it would find
	 * the exception frame below its own, and a thread preempted here again and again
	 * would grow its stack.
	 */
	.globl resume_preempted
	.type resume_preempted, %function
resume_preempted: /* r2 the key, which user.inc looks at */
	movs r0, #BASEPRI_KERNEL
	msr basepri, r0
	tell_from_fast_path
	cpsie i
	svc #0
	.size resume_preempted, . - resume_preempted

	resumption_of_fpu

#include "start.inc"
