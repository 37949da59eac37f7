/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls on the fake machine, and the way to user mode. No trap: a flag says which mode it
 * is, and the entry goes over to the stack of system calls, as an exception does on the targets.
 * Arguments stay where a function has them, as there; what a callee may change is cleared on the
 * way back, but for the result.
 */
	.macro in_kernel_mode_jump to
	cmpb	$0, host_user_mode
	jne	1f
	jmp	\to
1:
	.endm
	.macro system_call number
	movl	$\number, %eax
	jmp	host_system_call
	.endm
	.macro user_jump to
	jmp	\to
	.endm
#include "kernel/base/stubs.inc"

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
	cmpl	$NUM_FAST, %eax
	jb	2f
	cmpl	$NUM_SYSCALLS, %eax
	jb	1f
	movl	$NUM_SYSCALLS, %eax	/* the entry behind the last */
1:	call	*syscall_table(,%rax,8)
	jmp	3f
	/*
	 * First by fast.c, which is as good as masked: an interrupt comes where the kernel
	 * opens them, which it does not. It ends here, or calls one of those below.
	 */
2:	subq	$16, %rsp
	movq	%rax, (%rsp)
	call	*fast_table(,%rax,8)
	addq	$16, %rsp
3:	movq	8(%rsp), %rsp
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

	/* By the number that was kept, with the arguments that the call has. */
	.macro go_on name, table
	.globl	\name
	.type	\name, @function
\name:
	movq	host_user_calls, %r11
	movq	-32(%r11), %rax
	jmp	*\table(,%rax,8)
	.size	\name, . - \name
	.endm
	go_on arch_user_call_verified, syscall_table
	go_on arch_user_call_checked, checked_table

	/* By the function r8, masked: it opens interrupts; or the other one does behind it. */
	.globl	arch_user_call_masked
	.type	arch_user_call_masked, @function
arch_user_call_masked:
	movb	$1, host_cpu	/* .masked */
	jmp	*%r8
	.size	arch_user_call_masked, . - arch_user_call_masked

	/* The entry clears what is to be cleared. */
	.globl	arch_user_call_cleared
	.type	arch_user_call_cleared, @function
arch_user_call_cleared:
	movq	%rdi, %rax
	ret
	.size	arch_user_call_cleared, . - arch_user_call_cleared

	/*
	 * From the thread rdi to rsi; or the word that was waited for is stored behind it, where
	 * rdx says.
	 */
	.globl	arch_user_call_switch
	.type	arch_user_call_switch, @function
arch_user_call_switch:
	movb	$1, host_cpu
	xorl	%edx, %edx	/* ARCH_IRQ_KEY_OPEN */
	jmp	arch_switch
	.size	arch_user_call_switch, . - arch_user_call_switch

	.globl	arch_user_call_switch_and_store
	.type	arch_user_call_switch_and_store, @function
arch_user_call_switch_and_store:
	pushq	%rdx
	subq	$16, %rsp
	movb	$1, host_cpu
	movl	$1, %edx	/* ARCH_IRQ_KEY_MASKED */
	call	arch_switch
	movl	%eax, %edi
	movq	16(%rsp), %rsi
	call	store_word_waited_for
	movl	%eax, 8(%rsp)
	call	host_user_call_opens
	movl	8(%rsp), %eax
	addq	$24, %rsp
	ret
	.size	arch_user_call_switch_and_store, . - arch_user_call_switch_and_store

	.globl	arch_user_call_masked_throughout
	.type	arch_user_call_masked_throughout, @function
arch_user_call_masked_throughout:
	pushq	%rbx
	movb	$1, host_cpu
	call	*%r8
	movq	%rax, %rbx
	call	host_user_call_opens
	movq	%rbx, %rax
	popq	%rbx
	ret
	.size	arch_user_call_masked_throughout, . - arch_user_call_masked_throughout

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
