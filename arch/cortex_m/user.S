/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls, and the way to user mode.
 *
 * A call is an svc with its number in r12 and its arguments where a function has them. The handler
 * (svc_handler, below) makes the thread privileged, has it go on at cortex_m_syscall, and returns:
 * the core pops its frame from the user's stack, so all registers are the caller's there, and its
 * return address is still in lr. What the caller gets back of them it saves on its own stack, which
 * no other thread reaches, and pops in user mode again.
 *
 * While kernel mode is on the user's stack, in the first instructions and in the last, interrupts
 * may come: what they push needs room that belongs to the thread alone. So the handler asks
 * that the frame of the svc lay in the thread's own stack; what is pushed later lies there, or
 * in front, where the stack of its system calls ends, which is empty then. And what is in the
 * registers there may be read by the user below its stack pointer, so no secrets are.
 */
#include "floating_point.inc"
#include <offsets.h>
#include "frames.h"
#include "priority.h"
#include "user.inc"

	.syntax unified
	.thumb

	/*
	 * Calls of three words or fewer, of those that are short: r3 is free, which CBZ takes, and
	 * r12 not.
	 */
	.irp name, k_sem_give, k_mutex_unlock, k_event_post, k_event_set, k_stack_push, k_condvar_signal, \
		k_queue_alloc_append, k_queue_alloc_prepend, k_thread_start, k_thread_suspend, k_thread_resume, \
		k_yield
	.set three_words_of___real_\name, 1
	.endr
#ifndef CONFIG_TIMEOUT_64BIT
	.irp name, k_sem_take, k_mutex_lock, k_stack_pop, k_condvar_wait, k_queue_get
	.set three_words_of___real_\name, 1
	.endr
#endif

	.macro in_kernel_mode_jump to
	.ifdef three_words_of_\to
	mrs r3, psp
	cbz r3, 1f /* arch_is_user_context() */
	b.w \to
1:
	.else
	mrs r12, psp
	cmp r12, #0
	bne.w \to
	.endif
	.endm
	.macro system_call number
	mov r12, #\number
	svc #0
	bx lr /* a fast path: the handler has done it */
	.endm
	.macro user_jump to
	b.w \to
	.endm
#include "kernel/base/stubs.inc"

	/* In kernel mode, r0 to r3 the arguments, r12 the number, sp and lr the user's. */
	.section .text.cortex_m_syscall, "ax"
	.balign 16
	.globl cortex_m_syscall
	.type cortex_m_syscall, %function
cortex_m_checked: /* by the function itself */
	push {r2, r3, r4, lr}
	mov r4, sp
	ldr lr, =cortex_m_user_now
	ldr sp, [lr]
	str r4, [sp, #-8]!
	ldr lr, =checked_table
	b .Lcall
cortex_m_syscall:
	push {r2, r3, r4, lr}
	mov r4, sp /* which the verifier preserves */
	ldr lr, =cortex_m_user_now
	ldr sp, [lr]
	str r4, [sp, #-8]! /* for a report: ARCH_USER_CALL_PC() */
	cmp r12, #NUM_SYSCALLS
	ldr lr, =syscall_table
	bhs .Lno_such_call
	.globl cortex_m_syscall_done
.Lcall:
	ldr r12, [lr, r12, lsl #2]
	blx r12
cortex_m_syscall_done: /* from ipc.S, too */
	ldr r1, =cortex_m_user_now
	add r2, sp, #8
	ldr r3, [r1]
	cmp r3, r2
	beq .Lloaded
	/*
	 * Another thread was in user mode meanwhile: as cortex_m_user_load(). Who is preempted from
	 * here on gets its own back (user.inc).
	 */
	ldr lr, =k_cpu
	ldr lr, [lr, #CPU_CURRENT]
	ldr r12, =MPU_RBAR
	cpsid i
	ldrd r2, r3, [lr, #THREAD_REGIONS]
	strd r2, r3, [r12]
#ifndef ONE_STACK_REGION
	ldrd r2, r3, [lr, #THREAD_REGIONS + 8]
	strd r2, r3, [r12, #8]
#endif
	ldrd r2, r3, [lr, #THREAD_USER_STACK]
	strd r2, r3, [r1]
	ldr r2, [lr, #THREAD_DOMAIN]
	ldr r3, [r1, #USER_NOW_DOMAIN]
	cmp r2, r3
	bne .Lload_domain
	dsb
	cpsie i
.Lloaded:
#ifdef CONFIG_FPU
	mrs r1, control /* and whether it computes */
	forget_call_of_fpu r1, r2
	orr r1, r1, #CONTROL_USER
	ldmia r4!, {r2, r3}
#else
	ldmia r4!, {r2, r3}
	movs r1, #CONTROL_USER
#endif
	msr apsr_nzcvq, r1
	mov r12, r2
	mov sp, r4
	msr control, r1
	isb
	pop {r4, pc}
.Lno_such_call:
	branch_if_message cortex_m_ipc_slow
	mov r12, #NUM_SYSCALLS /* the entry behind the last */
	b .Lcall
.Lload_domain:
	str r0, [sp, #4] /* beside what is for a report */
	mov r0, lr
	bl cortex_m_user_load
	ldr r0, [sp, #4]
	cpsie i
	b .Lloaded
	.size cortex_m_syscall, . - cortex_m_syscall

	/*
	 * As user mode begins nothing is on its stack, and what an interrupt pushes there are
	 * zeros.
	 */
	.section .text.arch_user_enter, "ax"
	.globl arch_user_enter
	.type arch_user_enter, %function
arch_user_enter: /* r0 entry, p1, p2, p3; r1 end of its stack */
	mov r4, r0
#ifdef CONFIG_FPU
	sub r5, r1, #EXC_FPU_SIZE - EXC_SIZE /* above its first frame: struct arch_user_stack */
	wipe_fpu r0
#else
	mov r5, r1
#endif
	ldr r0, =k_cpu
	ldr r0, [r0]
	cpsid i
	bl cortex_m_user_load
	cpsie i
	mov r0, r4
	mov lr, r5
	ldr r12, [r0]
	adds r0, #4
	ldmia r0, {r0, r1, r2}
	movs r3, #CONTROL_USER
	.irp register, r4, r5, r6, r7, r8, r9, r10, r11
	mov \register, #0
	.endr
	msr apsr_nzcvq, r4
	mov sp, lr
	ldr lr, =cortex_m_user_return
	msr control, r3
	isb
	bx r12
	.size arch_user_enter, . - arch_user_enter

	.globl cortex_m_user_return
	.type cortex_m_user_return, %function
cortex_m_user_return: /* in user mode: the thread's entry has returned */
	bl __wrap_k_current_get
	bl __wrap_k_thread_abort
	b cortex_m_user_return
	.size cortex_m_user_return, . - cortex_m_user_return

	.section .text.arch_user_continue, "ax"
	.globl arch_user_continue
	.type arch_user_continue, %function
arch_user_continue: /* r0 place, r1 begin */
	mov sp, r0
	bx r1
	.size arch_user_continue, . - arch_user_continue

	/* ---- the exception handlers' part ---- */

	/*
	 * Most often out of user mode, by a fast path; so it is asked last whether it was
	 * resume_preempted (switch.S), whose frame lies in no user's stack, or has a large number
	 * in it. Nothing interrupts it: priority.h.
	 *
	 * Out of user mode the frame has to lie in the thread's own stack; kernel mode
	 * begins where the core returns to, with no IT block that the user left open, so xPSR is
	 * written, too. (Bit 9, a frame that was aligned, goes with it: an sp that was no multiple
	 * of 8, against the ABI, is 4 less afterwards.)
	 */
	.section .text.handlers, "ax"
	.balign 16
	.globl svc_handler
	.type svc_handler, %function
svc_handler:
	mrs r0, psp
	ldr r3, =cortex_m_user_now
	ldrd r1, r2, [r3]
	subs r1, r0, r1
	cmp r1, r2
	bhi .Lnot_its_stack
	ldr r12, [r0, #EXC_R12]
	cmp r12, #NUM_FAST
	bhs .Lnot_fast
	/*
	 * A fast path (fast.c) is done here. What it changes the core restores, from the
	 * frame, and its result is put there (arch_user_call_done()). It returns from the
	 * exception, or goes on at one of the two below.
	 */
	ldmia r0, {r0-r3}
	tbb [pc, r12]
.Lfast:
#undef SYSCALL
#undef SYSCALL_VIA
#define SYSCALL(name)
#define SYSCALL_VIA(name)
#define SYSCALL_OF_APP(name)
#define SYSCALL_FAST(name) .byte (.Lfast_##name - .Lfast) / 2 ;
#include "kernel/base/syscalls.h"
	.balign 2
#define SYSCALL_OF_APP(name)
#define SYSCALL_FAST(name) .Lfast_##name: b.w fast_##name ;
#include "kernel/base/syscalls.h"

	/*
	 * A word off a stack, with the rights of user mode, whose regions are loaded: what it may
	 * not write faults here, with nothing done, and the call goes on verified (user_fault.h).
	 * r0 where the stack ends, r1 to, r2 where r0 is kept.
	 */
	.globl arch_user_call_pop, cortex_m_user_store
	.type arch_user_call_pop, %function
arch_user_call_pop:
	ldr r3, [r0, #-4]!
cortex_m_user_store:
	strt r3, [r1]
	str r0, [r2]
	mrs r0, psp
	movs r3, #0
	str r3, [r0]
	bx lr
	.globl arch_user_call_checked
	.type arch_user_call_checked, %function
arch_user_call_checked:
	mrs r0, psp
	ldrd r2, r3, .Lchecked_state
	b .Lreturn_to
	.globl arch_user_call_verified
	.type arch_user_call_verified, %function
arch_user_call_verified:
	mrs r0, psp
	b .Lsyscall
.Lnot_fast:
	cmp r12, #NUM_SYSCALLS
	bhs .Lno_such_or_resume
	.globl cortex_m_to_syscall
cortex_m_to_syscall:
.Lsyscall:
	ldrd r2, r3, .Lsyscall_state
.Lreturn_to:
	strd r2, r3, [r0, #EXC_PC]
	movs r2, #CONTROL_KERNEL
	msr control, r2
	bx lr

.Lno_such_or_resume:
	branch_if_message cortex_m_ipc
	branch_if_message_with_bytes cortex_m_ipc_bytes
	branch_if_resumption cortex_m_resume
	b .Lsyscall

	/* On the stack of its system calls, as if it had called this, with where it comes from. */
.Lnot_its_stack:
	branch_if_resumption cortex_m_resume
	leave_long_frame
	ldr r1, [r0, #EXC_PC]
	ldr r0, [r3]
	ldrd r2, r3, .Lviolation_state
	subs r0, #EXC_SIZE
	strd r2, r3, [r0, #EXC_PC]
	str r1, [r0]
	msr psp, r0
	movs r2, #CONTROL_KERNEL
	msr control, r2
	bx lr

	.balign 4
.Lchecked_state:
	.word cortex_m_checked, XPSR_THUMB
.Lsyscall_state:
	.word cortex_m_syscall, XPSR_THUMB
.Lviolation_state:
	.word cortex_m_not_its_stack, XPSR_THUMB
	.size svc_handler, . - svc_handler
