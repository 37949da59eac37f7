/* SPDX-License-Identifier: Apache-2.0 */
#include <offsets.h>
#include "frame.inc"
#include "floating_point.inc"
#include "user.inc"

	/*
	 * ---- kernel mode: user.S, masked to the end, rax the number, user mode's rsp and rip
	 * pushed ----
	 */

	/*
	 * As if the thread had called arch_switch() from here. In the place of the key lies the
	 * object, for the slow path: interrupts may come in on the way to .Lcame, or not.
	 */
	.macro push_frame
	pushq $.Lcame
	push_callee_saved rdi
	.endm

	/* The running thread waits, and the one in rax runs, from its frame on. */
	.macro from_fast
	movq k_cpu + CPU_CURRENT(%rip), %rdi
	movq %rsp, THREAD_SP(%rdi)
	movq %rax, k_cpu + CPU_CURRENT(%rip)
	movq THREAD_SP(%rax), %rsp
#ifdef CONFIG_FPU
	branch_if_fpu %rax, %rcx, 8f
7:
	.subsection 1
8:	turn_fpu %rax, %rcx, %rdi, 7b
	.previous
#endif
	.endm

	.section .text.x86_64_ipc, "ax"
	.balign 16
	.globl x86_64_ipc_call
	.type x86_64_ipc_call, @function
x86_64_ipc_call:
	push_frame
	call ipc_call_fast
	testq %rax, %rax
	jz .Lno_fast_call
.Lfast:
	from_fast
	cmpq $.Lcame, FRAME_RETURN(%rsp)
	jne .Lnot_words
.Lto_words:
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
	jne .Lperhaps_bytes
	push_frame
	call ipc_reply_receive_fast
	testq %rax, %rax
	jnz .Lfast
	movq $IPC_REPLY_RECEIVE_TIMED, %rax
	jmp .Lno_fast
.Lno_fast_call:
	movq $IPC_CALL_TIMED, %rax
.Lno_fast:
	movl $-1, %esi
	pop_callee_saved rdi
	addq $8, %rsp

	/* A time-out, or fast.c says no: by the thread's own kernel stack, as any call. */
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
.Lclear_but_size:
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

.Lnot_words:
	cmpq $.Lcame_bytes, FRAME_RETURN(%rsp)
	je .Lto_bytes
	cmpq $.Lcame_fault, FRAME_RETURN(%rsp)
	je .Lto_fault
.Lno_bytes:
	movq $0, MESSAGE_WORD(5)(%rax) /* bytes */
.Lnot_fast: /* it waits in the kernel's middle, and takes its words out of its block */
	movq %rdx, MESSAGE_WORD(0)(%rax)
	movq %r8, MESSAGE_WORD(1)(%rax)
	movq %r9, MESSAGE_WORD(2)(%rax)
	movq %r10, MESSAGE_WORD(3)(%rax)
	movq $0, THREAD_WAKE_VALUE(%rax)
	movq %rax, %rsi
	jmp x86_64_switch_saved

	/* ---- with bytes: rsi where they may come; in rax how many there are and may come ---- */

	/*
	 * The frame's registers are nobody's, since the caller's library keeps its own; in place of
	 * the first three are words, whose registers are the C function's meanwhile.
	 */
.Lperhaps_bytes:
	btq $IPC_BYTES_NOT, %rax
	jc .Lround
	pushq $.Lcame_bytes
	subq $FRAME_SIZE - 16, %rsp
	movq %rdx, (%rsp)
	movq %r8, 8(%rsp)
	movq %r9, 16(%rsp)
	pushq %rdi
	movl %eax, %ecx
	shrq $IPC_BYTES_SHIFT, %rax
	movzbl %al, %edx
	btl $IPC_BYTES_REPLY_BIT, %eax
	jc 1f
	call ipc_call_fast_bytes
	jmp 2f
1:	call ipc_reply_receive_fast_bytes
2:	testq %rax, %rax
	jz .Lno_fast_bytes
	movq 8(%rsp), %rdx
	movq 16(%rsp), %r8
	movq 24(%rsp), %r9
	from_fast
	cmpq $.Lcame_bytes, FRAME_RETURN(%rsp)
	je .Lto_bytes
	cmpq $.Lcame, FRAME_RETURN(%rsp)
	je .Lto_words
	jmp .Lnot_fast /* how many bytes is in its block */

.Lto_bytes:
	load_view_instead
	movq FRAME_SIZE(%rsp), %rcx /* as the core has said it: canonical */
	movq MESSAGE_WORD(4)(%rax), %rdi
	movq MESSAGE_WORD(5)(%rax), %rsi
	movq $0, MESSAGE_WORD(5)(%rax)
	movq $0, MESSAGE_WORD(6)(%rax)
	cmpq $BYTES_MAX, %rsi
	jne 1f
2:	xorl %eax, %eax
	movl $RFLAGS_USER, %r11d
	movq FRAME_SIZE + 8(%rsp), %rsp
	sysretq
1:	leaq (%rsi,%rsi,2), %rax /* of three bytes each, those that no word is in */
	shrl $3, %eax
	addq $3f, %rax
	jmp *%rax
3:	xorq %rbx, %rbx
	xorq %rbp, %rbp
	xorq %r12, %r12
	xorq %r13, %r13
	xorq %r14, %r14
	xorq %r15, %r15
	jmp 2b

	/* Woken otherwise: what came is in memory by now. */
.Lcame_bytes:
	cli
	movq k_cpu + CPU_CURRENT(%rip), %rdi
	cmpq %rdi, x86_64_user_loaded(%rip)
	je 1f
	pushq %rax
	pushq %rdi
	call x86_64_user_load
	popq %rdi
	popq %rax
1:	movq MESSAGE_WORD(5)(%rdi), %rsi
	movq $0, MESSAGE_WORD(5)(%rdi)
	movq $0, MESSAGE_WORD(6)(%rdi)
	btsq $IPC_BYTES_IN_MEMORY, %rsi
	.irp register, ebx, ebp, r12d, r13d, r14d, r15d
	xorl %\register, %\register
	.endr
	testl %eax, %eax
	jnz .Lnothing_came
	movq MESSAGE_WORD(0)(%rdi), %rdx
	movq MESSAGE_WORD(1)(%rdi), %r8
	movq MESSAGE_WORD(2)(%rdi), %r9
	movq MESSAGE_WORD(3)(%rdi), %r10
	movq MESSAGE_WORD(4)(%rdi), %rdi
	jmp .Lclear_but_size

	/* Nothing was changed. */
.Lno_fast_bytes:
	popq %rdi
	addq $FRAME_SIZE - 8, %rsp
	movl $1, %eax
	.irp register, edx, r8d, r9d, r10d, ebx, ebp, r12d, r13d, r14d, r15d
	xorl %\register, %\register
	.endr
	jmp .Lclear

	/* A number of that sign, and neither. */
.Lno_such:
	addq $32, %rsp
	jmp x86_64_no_such_call
	.size x86_64_ipc_call, . - x86_64_ipc_call

	/*
	 * ---- a fault of user mode: trap.S, masked, on the stack of exceptions with vector, error
	 * code and the core's frame ----
	 */

	/*
	 * All registers go to the end of the thread's stack of system calls, into a struct
	 * x86_64_saved (user_fault.h), and straight to the handler go the words alone; the thread
	 * then waits as if it had called arch_switch() from .Lcame_fault, with nothing in its frame
	 * that it needs.
	 */
	.macro restore_saved
	movq KEPT_REGISTER(FAULT_RBX)(%rsp), %rbx
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
	.endm

	/* IRET to what is no address would fault in ring 0. */
	.macro make_canonical register
	shlq $16, \register
	sarq $16, \register
	.endm

	.balign 16
	.globl x86_64_user_fault
	.type x86_64_user_fault, @function
	.weak ipc_fault_fast /* who sets no gate does not come there */
x86_64_user_fault:
	pushq %rax
	movq x86_64_task_state + TSS_KERNEL_STACK(%rip), %rax
	subq $KEPT_SIZE, %rax
	movq %rbx, KEPT_REGISTER(FAULT_RBX)(%rax)
	movq %rcx, KEPT_REGISTER(FAULT_RCX)(%rax)
	movq %rdx, KEPT_REGISTER(FAULT_RDX)(%rax)
	movq %rsi, KEPT_REGISTER(FAULT_RSI)(%rax)
	movq %rdi, KEPT_REGISTER(FAULT_RDI)(%rax)
	movq %rbp, KEPT_REGISTER(FAULT_RBP)(%rax)
	.irp n, 8, 9, 10, 11, 12, 13, 14, 15
	movq %r\n, KEPT_REGISTER(FAULT_R(\n))(%rax)
	.endr
	popq KEPT_REGISTER(FAULT_RAX)(%rax)
	popq KEPT_REGISTER(FAULT_VECTOR)(%rax)
	popq KEPT_REGISTER(FAULT_ERROR)(%rax)
	popq KEPT_REGISTER(FAULT_RIP)(%rax)
	popq KEPT_REGISTER(FAULT_CS)(%rax)
	popq KEPT_REGISTER(FAULT_RFLAGS)(%rax)
	popq KEPT_REGISTER(FAULT_RSP)(%rax)
	movq %cr2, %rcx
	movq %rcx, KEPT_REGISTER(FAULT_CR2)(%rax)
	cld
	movq %rax, %rsp
	movq %rax, %rdi
	call x86_64_fault_is_saved
	testb %al, %al
	jz x86_64_fault_of_frame
	movq %rsp, %rdi
	call ipc_fault_fast
	testq %rax, %rax
	jz .Lnot_fast_fault
	movq (%rsp), %rdx
	movq 8(%rsp), %r8
	movq 16(%rsp), %r9
	movq 24(%rsp), %r10
	pushq $.Lcame_fault
	subq $FRAME_SIZE - 16, %rsp
	pushq $0 /* the key: masked */
	from_fast
	cmpq $.Lcame, FRAME_RETURN(%rsp)
	je .Lto_words
	jmp .Lnot_words

	/* Its answer, as .Lto_words: rax the thread, rsp its frame. K_IPC_FAULT_RESUME is 0. */
.Lto_fault:
	testq %rdx, %rdx
	jnz .Lno_bytes
	load_view_instead
	movq $0, MESSAGE_WORD(6)(%rax) /* capacity */
	addq $FRAME_SIZE, %rsp
	make_canonical %r9
	movq %r9, KEPT_REGISTER(FAULT_RIP)(%rsp)
	restore_saved

	/* Woken by any other way: eax the result. */
.Lcame_fault:
	movl %eax, %esi
	movq %rsp, %rdi
	sti
	call x86_64_fault_answered
	jmp .Lgoes_on
.Lnot_fast_fault:
	movq %rsp, %rdi
	sti
	call x86_64_fault_deliver
.Lgoes_on:
	cli
	make_canonical %rax
	movq %rax, KEPT_REGISTER(FAULT_RIP)(%rsp)
	movq k_cpu + CPU_CURRENT(%rip), %rdi
	cmpq %rdi, x86_64_user_loaded(%rip)
	je 1f
	call x86_64_user_load
1:	restore_saved
	.size x86_64_user_fault, . - x86_64_user_fault

	.section .note.GNU-stack, "", @progbits
