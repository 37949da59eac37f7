/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls and answers of four words, in registers. Going in: r0 gate or endpoint, r2 time-out, the
 * words in r4 to r7. Coming back: r0 the result, the words in the same, r2 the badge. With bytes
 * besides, and for as long as it takes: r1 from where, r2 how many, r3 how many may come there;
 * coming back, r3 how many have.
 *
 * The usual ones are fast (kernel/ipc/fast.c), done in the handler of the supervisor call:
 * its functions leave r4 to r11 alone, so the words are in the receiver's hands once r8 to r11 are
 * its own and the process stack is. What else a thread has lies in the core's frame on its stack,
 * where its result is put. Who waits so has a frame at the end of its stack of system calls that
 * looks as if it had called arch_switch(), above it PSP: whoever wakes it by any other way need not
 * know, and it goes on at cortex_m_ipc_came, with its words out of its block. That return address
 * tells a frame from others.
 *
 * A message with bytes that is not fast changes nothing and comes back with 1, which is no
 * result: the caller then makes an ordinary system call of it (kernel/ipc/verify_ipc.c).
 */
#include "floating_point.inc"
#include "guard.inc"
#include <offsets.h>
#include "frames.h"
#include "user.inc"

#define MESSAGE_DATA 20
#define MESSAGE_SIZE 24 /* of the API's structure; the capacity behind it */

	.syntax unified
	.thumb

	/* ---- user mode: NAME(object, message, timeout) ---- */

	.macro message_call name, with_bytes, number, bytes_number
	.section .text.\name, "ax"
	.balign 4
	.globl \name
	.type \name, %function
\name:
	ldrd r3, r12, [r1, #MESSAGE_SIZE]
	orrs r3, r3, r12
	bne 2f
	push {r1, r4-r7, lr}
	ldmia r1, {r4-r7}
	mov r12, #\number
	adr.w lr, 3f + 1 /* where an ordinary call returns to */
	svc #0
3:	ldr r3, [sp], #4
	cbnz r0, 1f
	stmia r3!, {r4-r7}
	str r2, [r3]
	/* Its size is 0, as it was. */
1:	pop {r4-r7, pc}
2:	/* With bytes: r12 the capacity. */
	cmn r2, #1
	bne.w \with_bytes
	push {r0, r1, r3, r4-r7, lr}
	ldr r2, [r1, #MESSAGE_SIZE]
	mov r3, r12
	ldmia r1, {r4-r7}
	ldr r1, [r1, #MESSAGE_DATA]
	mov r12, #\bytes_number
	adr.w lr, 4f + 1
	svc #0
4:	cmp r0, #0
	bgt 6f
	bne 5f
	ldr r1, [sp, #4]
	stmia r1!, {r4-r7}
	str r2, [r1]
	str r3, [r1, #MESSAGE_SIZE - 16]
5:	add sp, #12
	pop {r4-r7, pc}
6:	pop {r0, r1, r3, r4-r7, lr}
	mvn r2, #0
	b.w \with_bytes
	.size \name, . - \name
	.endm

	message_call user_k_ipc_call, __wrap_user_ipc_call, IPC_CALL, IPC_CALL_BYTES
	message_call user_k_ipc_reply_receive, __wrap_user_ipc_reply_receive, IPC_REPLY_RECEIVE, \
		IPC_REPLY_RECEIVE_BYTES

	/* ---- the handler of the supervisor call: user.S, r0 PSP, r12 the number ---- */

	/*
	 * The running thread waits, as if it had called arch_switch() from `came`. Then r0 runs:
	 * equal where it waits by the same one; r1, where its frame is, and r2, where it goes on
	 * there.
	 */
	.macro from_fast came
	ldr r1, =k_cpu
	mrs r3, psp
	ldr lr, =\came
	ldr r2, [r1, #CPU_CURRENT]
	str r0, [r1, #CPU_CURRENT]
	ldr r1, [r2, #THREAD_STACK_START]
	str r3, [r1, #-8]!
	movs r3, #0
	stmdb r1!, {r3-r11, lr}
	str r1, [r2, #THREAD_SP]
	ldr r1, [r0, #THREAD_SP]
	ldr r2, [r1, #FRAME_PC]
	cmp r2, lr
	.endm

	/*
	 * Where who has faulted goes on, into the core's frame; elsewhere than it was, there is no
	 * instruction that it was in, and the state is the one there is: without Thumb it would
	 * fault there for ever.
	 */
	.macro set_pc_of_fault pc, frame, old, xpsr
	bic \pc, \pc, #1
	ldrd \old, \xpsr, [\frame, #EXC_PC]
	cmp \pc, \old
	beq 1f
	bic \xpsr, \xpsr, #XPSR_IT_AND_ICI_HIGH
	bic \xpsr, \xpsr, #XPSR_IT_AND_ICI_LOW
	orr \xpsr, \xpsr, #XPSR_THUMB
	strd \pc, \xpsr, [\frame, #EXC_PC]
1:
	.endm

	/*
	 * From there to user mode with r0, whose frame r1 is at; with the bytes' number in its r3,
	 * if it waits for such.
	 */
	.macro to_fast with_bytes
	ldr r3, [r1, #FRAME_SIZE]
	adds r1, #FRAME_R4 + 16
	ldmia r1, {r8-r11}
	msr psp, r3
	ldr r2, [r0, #THREAD_MESSAGE + 16]
	movs r1, #0
	str r1, [r3]
	str r2, [r3, #EXC_R2]
	.if \with_bytes
	ldr r2, [r0, #THREAD_MESSAGE + 20]
	str r1, [r0, #THREAD_MESSAGE + 20]
	str r1, [r0, #THREAD_MESSAGE + 24]
	str r2, [r3, #EXC_R2 + 4]
	.endif
	load_and_leave
	.endm

	/* To user mode with r0, whose PSP and registers are there. */
	.macro load_and_leave
	move_guard r0, r2, r12
	ldr r12, =MPU_RBAR
	ldr r1, =cortex_m_user_now
	ldrd r2, r3, [r0, #THREAD_REGIONS]
	strd r2, r3, [r12]
#ifndef ONE_STACK_REGION
	ldrd r2, r3, [r0, #THREAD_REGIONS + 8]
	strd r2, r3, [r12, #8]
#endif
	ldrd r2, r3, [r0, #THREAD_USER_STACK]
	strd r2, r3, [r1]
	ldr r2, [r0, #THREAD_DOMAIN]
	ldr r3, [r1, #USER_NOW_DOMAIN]
	cmp r2, r3
	beq 1f
#ifdef CONFIG_CORTEX_M_PMSAV8
	bl cortex_m_user_load /* which writes the stack's once more */
#else
	str r2, [r1, #USER_NOW_DOMAIN]
	.irp offset, 0, 8, 16
	ldrd r0, r1, [r2, #\offset]
	strd r0, r1, [r12]
	.endr
#ifndef CONFIG_STACK_GUARD_HW
	ldrd r0, r1, [r2, #24]
	strd r0, r1, [r12]
#endif
#endif
1:	mvn lr, #2 /* EXC_RETURN: to a thread, by its process stack */
	dsb
	bx lr
	.endm

	.section .text.handlers, "ax"
	.balign 16
	.globl cortex_m_ipc
	.type cortex_m_ipc, %function
cortex_m_ipc:
	branch_if_from_fpu cortex_m_to_syscall /* whoever waits here has a short frame */
	ldr r1, [r0, #EXC_R2]
	ldr r0, [r0]
	adds r1, #1 /* for as long as it takes? */
	bne .Lslow
	cmp r12, #IPC_CALL
	bne .Lreply_receive
	bl ipc_call_fast
	cmp r0, #0
	beq .Lslow
.Lfast:
	from_fast cortex_m_ipc_came
	bne .Lnot_words
.Lto_words:
	to_fast 0

.Lreply_receive:
	bl ipc_reply_receive_fast
	cmp r0, #0
	bne .Lfast
.Lslow: /* in kernel mode, as any call: user.S, below */
	mrs r0, psp
	mvn lr, #2
	b cortex_m_to_syscall

.Lnot_words:
	ldr r3, =cortex_m_ipc_came_bytes
	cmp r2, r3
	beq .Lto_bytes
	ldr r3, =cortex_m_ipc_came_fault
	cmp r2, r3
	beq .Lto_fault
.Lno_bytes:
	movs r3, #0
	str r3, [r0, #THREAD_MESSAGE + 20] /* bytes */
.Lnot_fast: /* it waits in the kernel's middle, and takes its words out of its block */
	add r1, r0, #THREAD_MESSAGE
	movs r2, #0
	stmia r1!, {r4-r7}
	str r2, [r0, #THREAD_WAKE_VALUE]
	movs r3, #CONTROL_KERNEL
	msr control, r3
	ldr r12, =resume_preempted
	mvn lr, #2
	cpsid i
	b cortex_m_switch_to

	.globl cortex_m_ipc_bytes
cortex_m_ipc_bytes:
	branch_if_from_fpu .Lno_bytes_of_fpu
	ldrd r2, r3, [r0, #EXC_R2]
	ldrd r0, r1, [r0]
	cmp r12, #IPC_CALL_BYTES
	bne 1f
	bl ipc_call_fast_bytes
	b 2f
1:	bl ipc_reply_receive_fast_bytes
2:	cmp r0, #0
	beq .Lno_fast_bytes
	from_fast cortex_m_ipc_came_bytes
	beq .Lto_bytes
	ldr r3, =cortex_m_ipc_came
	cmp r2, r3
	beq .Lto_words
	b .Lnot_fast /* how many bytes is in its block */
.Lto_bytes:
	to_fast 1
.Lno_fast_bytes:
	mvn lr, #2
.Lno_bytes_of_fpu: /* as it came */
	mrs r0, psp
	movs r1, #1
	str r1, [r0]
	bx lr
	.size cortex_m_ipc, . - cortex_m_ipc

	/*
	 * A fault, perhaps of user mode: handlers.S, which has pushed all registers. The thread
	 * waits as if it had called arch_switch() from cortex_m_ipc_came_fault, with nothing in its
	 * frame that it needs: its registers are in struct cortex_m_saved above it.
	 */
	.globl cortex_m_fault_fast_perhaps
	.type cortex_m_fault_fast_perhaps, %function
cortex_m_fault_fast_perhaps:
	bl cortex_m_fault_fast
	cbnz r0, 1f
	mvn lr, #2
	b.w cortex_m_fault_slow
1:	add sp, #4 * 14
	ldr r1, =k_cpu
	ldr r3, =cortex_m_ipc_came_fault
	ldr r2, [r1, #CPU_CURRENT]
	str r0, [r1, #CPU_CURRENT]
	ldr r1, [r2, #THREAD_STACK_START]
	subs r1, #KEPT_SIZE - KEPT_REGISTERS - 4 * 4
	stmia r1, {r4-r11}
	str r3, [r1, #FRAME_PC - FRAME_SIZE - KEPT_REGISTERS - 4 * 4]
	movs r3, #0
	str r3, [r1, #FRAME_KEY - FRAME_SIZE - KEPT_REGISTERS - 4 * 4]
	subs r1, #KEPT_REGISTERS + 4 * 4
	ldmia r1, {r4-r7}
	subs r1, #FRAME_SIZE
	str r1, [r2, #THREAD_SP]
	ldr r1, [r0, #THREAD_SP]
	ldr r3, =cortex_m_ipc_came
	ldr r2, [r1, #FRAME_PC]
	cmp r2, r3
	beq .Lto_words
	b .Lnot_words

	/* Its answer, as .Lto_words: r0 the thread, r1 its frame. K_IPC_FAULT_RESUME is 0. */
.Lto_fault:
	cmp r4, #0
	bne .Lno_bytes
	ldr r2, [r1, #FRAME_SIZE + KEPT_PSP]
	str r4, [r0, #THREAD_MESSAGE + 24] /* capacity */
	msr psp, r2
	set_pc_of_fault r6, r2, r3, r7
	adds r1, #FRAME_SIZE + KEPT_REGISTERS + 4 * 4
	ldmia r1, {r4-r11}
	load_and_leave
	.size cortex_m_fault_fast_perhaps, . - cortex_m_fault_fast_perhaps

	/* ---- kernel mode, on the stack of system calls ---- */

	/*
	 * The words of the running thread's message into r1, r5 to r7, its badge into r2; all 0
	 * where the result, r0, is not.
	 */
	.macro take_words
	ldr r1, =k_cpu
	ldr r1, [r1, #CPU_CURRENT]
	add r1, r1, #THREAD_MESSAGE
	cmp r0, #0
	ittee eq
	ldreq r2, [r1, #16]
	ldmiaeq r1, {r1, r5-r7}
	movne r2, #0
	movne r1, #0
	itt ne
	movne r5, #0
	movne r6, #0
	it ne
	movne r7, #0
	.endm

	/* An ordinary call, user.S: r4 where the caller's registers lie. */
	.section .text.cortex_m_ipc_slow, "ax"
	.balign 4
	.globl cortex_m_ipc_slow
	.type cortex_m_ipc_slow, %function
cortex_m_ipc_slow:
	ldr r3, [r4, #8]
	push {r3, r5, r6, r7}
	mov r1, r2
	mov r2, sp
	cpsid i
	cmp r12, #IPC_CALL
	bne 2f
	bl user_call_words
1:	add sp, #16
	take_words
	str r2, [r4]
	str r1, [r4, #8]
	b cortex_m_syscall_done
2:	bl user_reply_receive_words
	b 1b
	.size cortex_m_ipc_slow, . - cortex_m_ipc_slow

	/*
	 * Woken by any other way: r0 the result. What the end of a system call pops (user.S) is
	 * made of the core's frame, which ends 4 bytes later where the core has aligned it.
	 */
	.globl cortex_m_ipc_came
	.type cortex_m_ipc_came, %function
cortex_m_ipc_came:
	movs r3, #0
.Lcame:
	take_words
	ldr r4, [sp]
	ldrd r12, lr, [r4, #EXC_PC]
	orr r12, r12, #1
	tst lr, #XPSR_ALIGNED
	it ne
	addne r4, #4
	str r2, [r4, #16]!
	str r3, [r4, #4]
	str r1, [r4, #8]
	str r12, [r4, #12]
	b cortex_m_syscall_done
	/* The same with bytes, which the thread then has none of, nor capacity: ipc_put_away(). */
	.globl cortex_m_ipc_came_bytes
	.type cortex_m_ipc_came_bytes, %function
cortex_m_ipc_came_bytes:
	ldr r1, =k_cpu
	ldr r1, [r1, #CPU_CURRENT]
	movs r2, #0
	ldr r3, [r1, #THREAD_MESSAGE + 20]
	str r2, [r1, #THREAD_MESSAGE + 20]
	str r2, [r1, #THREAD_MESSAGE + 24]
	cmp r0, #0
	it ne
	movne r3, #0
	b .Lcame
	.size cortex_m_ipc_came, . - cortex_m_ipc_came

	/* ---- a fault of user mode: saved_fault.h, sp at struct cortex_m_saved ---- */

	/* Straight, and woken by any other way: r0 the result. */
	.section .text.cortex_m_fault_to_handler, "ax"
	.weak ipc_fault_answered, ipc_fault_deliver /* who sets no gate does not come here */
	.balign 4
	.globl cortex_m_ipc_came_fault
	.type cortex_m_ipc_came_fault, %function
cortex_m_ipc_came_fault:
	mov r1, r0
	mov r0, sp
	bl ipc_fault_answered
	b .Lgoes_on
	.size cortex_m_ipc_came_fault, . - cortex_m_ipc_came_fault

	/* Not fast: out of the exception, r0 as sp. */
	.globl cortex_m_fault_to_handler
	.type cortex_m_fault_to_handler, %function
cortex_m_fault_to_handler:
	bl ipc_fault_deliver
.Lgoes_on:
	ldr r1, [sp, #KEPT_PSP]
	ldr r2, [sp, #KEPT_CAME]
	cbz r2, 1f
	/*
	 * The answer has brought registers: into the core's frame those that are there, of xPSR the
	 * flags.
	 */
	add r3, sp, #KEPT_REGISTERS
	ldmia r3, {r4-r7}
	stmia r1, {r4-r7}
	ldr r4, [r3, #4 * 12]
	ldr r5, [r3, #4 * 14]
	strd r4, r5, [r1, #EXC_R12]
	ldr r4, [r1, #EXC_PC + 4]
	ldr r5, [r3, #4 * 16]
	bic r4, r4, #XPSR_FLAGS
	and r5, r5, #XPSR_FLAGS
	orr r4, r4, r5
	str r4, [r1, #EXC_PC + 4]
1:	add sp, #KEPT_REGISTERS + 4 * 4
	pop {r4-r11}
	add sp, #KEPT_PSP - KEPT_REGISTERS - 4 * 12
	/* As a thread that was preempted in user mode (user.inc): its PSP lies at sp. */
	set_pc_of_fault r0, r1, r3, r12
	ldr lr, =resume_preempted
	movs r2, #KEY_OF_USER
	cpsid i
	bx lr
	.size cortex_m_fault_to_handler, . - cortex_m_fault_to_handler
