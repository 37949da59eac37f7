/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls on the fake machine, and the way to user mode. No trap: a flag says which mode it
 * is, and the entry goes over to the stack of system calls, as an exception does on the targets.
 * Arguments stay where a function has them, as there; what a callee may change is cleared on the
 * way back, but for the result.
 */
	.altmacro

	/* What the API's functions are reached by: see kernel/protect/syscalls.h. */
	.macro stub name, number
	.section .text.__wrap_\name, "ax", @progbits
	.globl	__wrap_\name
	.type	__wrap_\name, @function
__wrap_\name:
	cmpb	$0, host_user_mode
	jne	1f
	jmp	__real_\name
1:	movl	$\number, %eax
	jmp	host_system_call
	.size	__wrap_\name, . - __wrap_\name
	.endm

	.macro stub_via name
	.section .text.__wrap_\name, "ax", @progbits
	.globl	__wrap_\name
	.type	__wrap_\name, @function
__wrap_\name:
	cmpb	$0, host_user_mode
	jne	user_\name
	jmp	__real_\name
	.size	__wrap_\name, . - __wrap_\name
	.endm

	.set number, 0
#define SYSCALL(name)     stub name, %(number) ; .set number, number + 1 ;
#define SYSCALL_VIA(name) stub_via name ;
#include "kernel/protect/syscalls.h"
	.noaltmacro
	.set NUM_SYSCALLS, number

	.text
	/* The number in eax, in user mode. Returns as the verifier does. */
	.globl	host_system_call
	.type	host_system_call, @function
host_system_call:
	movb	$0, host_user_mode
	movq	host_user_calls, %r11
	movq	(%rsp), %r10
	movq	%r10, -16(%r11)		/* ARCH_USER_CALL_PC */
	movq	%rsp, -8(%r11)
	leaq	-16(%r11), %rsp
	cmpl	$NUM_SYSCALLS, %eax
	jb	1f
	movl	$NUM_SYSCALLS, %eax	/* the entry behind the last */
1:	call	*syscall_table(,%rax,8)
	movq	8(%rsp), %rsp
	movb	$1, host_user_mode
	xorl	%edi, %edi
	xorl	%esi, %esi
	xorl	%edx, %edx
	xorl	%ecx, %ecx
	xorl	%r8d, %r8d
	xorl	%r9d, %r9d
	xorl	%r10d, %r10d
	xorl	%r11d, %r11d
	ret
	.size	host_system_call, . - host_system_call

	/* host_deliver(), where user mode is interrupted: on the stack of system calls. */
	.globl	host_deliver_in_user_mode
	.type	host_deliver_in_user_mode, @function
host_deliver_in_user_mode:
	pushq	%rbp
	movq	%rsp, %rbp
	movb	$0, host_user_mode
	movq	host_user_calls, %rsp
	call	host_deliver
	movb	$1, host_user_mode
	movq	%rbp, %rsp
	popq	%rbp
	ret
	.size	host_deliver_in_user_mode, . - host_deliver_in_user_mode

	.globl	arch_user_enter
	.type	arch_user_enter, @function
arch_user_enter: /* rdi entry, p1, p2, p3; rsi end of its stack */
	movq	(%rdi), %rax
	movq	8(%rdi), %r10
	movq	16(%rdi), %r11
	movq	24(%rdi), %rdx
	movq	%rsi, %rsp
	movq	%r10, %rdi
	movq	%r11, %rsi
	movb	$1, host_user_mode
	xorl	%ecx, %ecx
	xorl	%ebx, %ebx
	xorl	%ebp, %ebp
	xorl	%r8d, %r8d
	xorl	%r9d, %r9d
	xorl	%r10d, %r10d
	xorl	%r11d, %r11d
	xorl	%r12d, %r12d
	xorl	%r13d, %r13d
	xorl	%r14d, %r14d
	xorl	%r15d, %r15d
	call	*%rax
1:	call	__wrap_k_current_get	/* the thread's entry has returned */
	movq	%rax, %rdi
	call	__wrap_k_thread_abort
	jmp	1b
	.size	arch_user_enter, . - arch_user_enter

	/* rdi place, rsi begin */
	.globl	host_user_continue
	.type	host_user_continue, @function
host_user_continue:
	movq	%rdi, %rsp
	call	*%rsi
	hlt
	.size	host_user_continue, . - host_user_continue

	.section .note.GNU-stack, "", @progbits
