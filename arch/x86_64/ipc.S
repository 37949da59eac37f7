/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls and answers of four words, in registers. Going in: rdi gate or endpoint, esi time-out if there is one, the words in
 * rdx and r8 to r10, rax which of both. Coming back: eax the result, the words in the same, rdi the badge.
 *
 * The usual ones are straight (kernel/ipc/straight.c): that leaves the words' registers alone, so they are in the
 * receiver's hands as soon as the other registers are its own. Who waits so has a frame at the end of its stack of
 * system calls that looks as if it had called arch_switch(): whoever wakes it by any other way need not know, and it
 * goes on at .Lcame, with its words out of its block. That return address tells a frame from others.
 *
 * A message with bytes is an ordinary system call (kernel/protect/verify_ipc.c).
 */
#include "offsets.h"
#include "user.inc"

#define MESSAGE_BADGE 32
#define MESSAGE_SIZE  48 /* and the room for another one */

	/* ---- user mode: NAME(object, message, timeout) ---- */

	.macro message_call name, with_bytes, number
	.balign 16
	.globl \name
	.type \name, @function
\name:
	movq MESSAGE_SIZE(%rsi), %rax
	orq MESSAGE_SIZE + 8(%rsi), %rax
	jnz \with_bytes
	cmpl $-1, %edx
	jne 2f
	pushq %rsi
	movq (%rsi), %rdx
	movq 8(%rsi), %r8
	movq 16(%rsi), %r9
	movq 24(%rsi), %r10
	movq $\number, %rax
3:	syscall
	popq %rsi
	testl %eax, %eax
	jnz 1f
	movq %rdx, (%rsi)
	movq %r8, 8(%rsi)
	movq %r9, 16(%rsi)
	movq %r10, 24(%rsi)
	movq %rdi, MESSAGE_BADGE(%rsi)
	/* Its size is 0, as it was. */
1:	ret
2:	pushq %rsi
	movl %edx, %eax
	movq (%rsi), %rdx
	movq 8(%rsi), %r8
	movq 16(%rsi), %r9
	movq 24(%rsi), %r10
	movl %eax, %esi
	movq $\number + IPC_CALL_TIMED - IPC_CALL, %rax
	jmp 3b
	.size \name, . - \name
	.endm

	.section .user_text.x86_64_message_stubs, "ax"
	.globl x86_64_message_stubs /* who looks at the user's stack finds a word more there: views.c */
x86_64_message_stubs:
	message_call user_k_ipc_call, __wrap_user_ipc_call, IPC_CALL
	message_call user_k_ipc_reply_receive, __wrap_user_ipc_reply_receive, IPC_REPLY_RECEIVE

	.globl x86_64_message_stubs_end
x86_64_message_stubs_end:

	/* ---- kernel mode: user.S, masked to the end, rax the number, user mode's rsp and rip pushed ---- */

	/*
	 * As if the thread had called arch_switch() from here. In the place of the key lies the object, for the way
	 * round: interrupts may come in on the way to .Lcame, or not.
	 */
	.macro push_frame
	pushq $.Lcame
	pushq %rbx
	pushq %rbp
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	pushq %rdi
	.endm

	.section .text.x86_64_ipc, "ax"
	.balign 16
	.globl x86_64_ipc_call
	.type x86_64_ipc_call, @function
x86_64_ipc_call:
	push_frame
	call ipc_call_straight
	testq %rax, %rax
	jz .Lno_straight_call
.Lstraight:
	movq k_cpu + CPU_CURRENT(%rip), %rdi
	movq %rsp, THREAD_SP(%rdi)
	movq %rax, k_cpu + CPU_CURRENT(%rip)

	/* From there to user mode with the other one. */
	movq THREAD_SP(%rax), %rsp
	cmpq $.Lcame, FRAME_RETURN(%rsp)
	jne .Lnot_straight
	load_view_instead
	movq 8(%rsp), %r15
	movq 16(%rsp), %r14
	movq 24(%rsp), %r13
	movq 32(%rsp), %r12
	movq 40(%rsp), %rbp
	movq 48(%rsp), %rbx
	movq FRAME_SIZE(%rsp), %rcx /* as the core has said it: canonical */
	movq MESSAGE_WORD(4)(%rax), %rdi
	xorl %eax, %eax
	movl $RFLAGS_USER, %r11d
	movq FRAME_SIZE + 8(%rsp), %rsp
	sysretq

	.balign 16
	.globl x86_64_ipc
	.type x86_64_ipc, @function
x86_64_ipc: /* another one of them, or none */
	cmpq $IPC_REPLY_RECEIVE, %rax
	jne .Lround
	push_frame
	call ipc_reply_receive_straight
	testq %rax, %rax
	jnz .Lstraight
	movq $IPC_REPLY_RECEIVE_TIMED, %rax
	jmp .Lno_straight
.Lno_straight_call:
	movq $IPC_CALL_TIMED, %rax
.Lno_straight:
	movl $-1, %esi
	popq %rdi
	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %rbp
	popq %rbx
	addq $8, %rsp

	/* A time-out, or straight.c says no: by the thread's own kernel stack, as any call. */
.Lround:
	pushq %r10
	pushq %r9
	pushq %r8
	pushq %rdx
	movq %rsp, %rdx
	cmpq $IPC_CALL_TIMED, %rax
	jne 1f
	call user_call_words
	jmp 2f
1:	cmpq $IPC_REPLY_RECEIVE_TIMED, %rax
	jne .Lno_such
	call user_reply_receive_words
2:	addq $32, %rsp
.Lcame:
	cli
	movq k_cpu + CPU_CURRENT(%rip), %rdi
	cmpq %rdi, x86_64_user_loaded(%rip)
	jne .Lload
.Lloaded:
	testl %eax, %eax
	jnz .Lnothing_came
	movq MESSAGE_WORD(0)(%rdi), %rdx
	movq MESSAGE_WORD(1)(%rdi), %r8
	movq MESSAGE_WORD(2)(%rdi), %r9
	movq MESSAGE_WORD(3)(%rdi), %r10
	movq MESSAGE_WORD(4)(%rdi), %rdi
.Lclear:
	xorl %esi, %esi
	popq %rcx
	shlq $16, %rcx /* canonical: user.S */
	sarq $16, %rcx
	movl $RFLAGS_USER, %r11d
	popq %rsp
	sysretq
.Lnothing_came: /* nor anything that is left in the block */
	.irp register, edx, edi, r8d, r9d, r10d
	xorl %\register, %\register
	.endr
	jmp .Lclear
.Lload:
	pushq %rax
	pushq %rdi
	call x86_64_user_load
	popq %rdi
	popq %rax
	jmp .Lloaded

.Lnot_straight: /* it waits in the kernel's middle, and takes its words out of its block */
	movq %rdx, MESSAGE_WORD(0)(%rax)
	movq %r8, MESSAGE_WORD(1)(%rax)
	movq %r9, MESSAGE_WORD(2)(%rax)
	movq %r10, MESSAGE_WORD(3)(%rax)
	xorl %edx, %edx
	movq %rdx, MESSAGE_WORD(5)(%rax) /* its size */
	movq %rdx, THREAD_WAKE_VALUE(%rax)
	movq %rax, %rsi
	jmp x86_64_switch_saved

	/* A number of that sign, and neither. */
.Lno_such:
	addq $32, %rsp
	jmp x86_64_no_such_call
	.size x86_64_ipc_call, . - x86_64_ipc_call

	/* ---- a fault of user mode: trap.S, rax the stack pointer at struct x86_64_kept (user_fault.h) ---- */

	.section .text.x86_64_fault_to_handler, "ax"
	.balign 16
	.globl x86_64_fault_to_handler
	.type x86_64_fault_to_handler, @function
	.weak ipc_fault_deliver /* who sets no gate does not come here */
x86_64_fault_to_handler:
	movq %rax, %rsp
	movq %rax, %rdi
	movq $0, k_cpu + CPU_IN_ISR(%rip)
	sti
	call ipc_fault_deliver
	cli
	shlq $16, %rax /* canonical: IRET to what is not would fault in ring 0 */
	sarq $16, %rax
	movq %rax, KEPT_REGISTER(FAULT_RIP)(%rsp)
	movq k_cpu + CPU_CURRENT(%rip), %rdi
	cmpq %rdi, x86_64_user_loaded(%rip)
	je 1f
	call x86_64_user_load
1:	movq KEPT_REGISTER(FAULT_RBX)(%rsp), %rbx
	movq KEPT_REGISTER(FAULT_RCX)(%rsp), %rcx
	movq KEPT_REGISTER(FAULT_RDX)(%rsp), %rdx
	movq KEPT_REGISTER(FAULT_RSI)(%rsp), %rsi
	movq KEPT_REGISTER(FAULT_RDI)(%rsp), %rdi
	movq KEPT_REGISTER(FAULT_RBP)(%rsp), %rbp
	.irp n, 8, 9, 10, 11, 12, 13, 14, 15
	movq KEPT_REGISTER(FAULT_R(\n))(%rsp), %r\n
	.endr
	movq KEPT_REGISTER(FAULT_RFLAGS)(%rsp), %rax
	andl $RFLAGS_RESUMED, %eax
	orl $RFLAGS_USER, %eax
	pushq $SELECTOR_USER_DATA
	pushq KEPT_REGISTER(FAULT_RSP) + 8(%rsp)
	pushq %rax
	pushq $SELECTOR_USER_CODE
	pushq KEPT_REGISTER(FAULT_RIP) + 8 * 4(%rsp)
	movq KEPT_REGISTER(FAULT_RAX) + 8 * 5(%rsp), %rax
	iretq
	.size x86_64_fault_to_handler, . - x86_64_fault_to_handler

	.section .note.GNU-stack, "", @progbits
