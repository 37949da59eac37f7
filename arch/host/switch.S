/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changing stacks on x86-64. All switches on this machine are function calls, those
 * out of interrupts too (an interrupt is a call here), so saving what the ABI lets a
 * callee keep is enough. Not ucontext: it makes a system call each time, and its
 * saved state could not be found through one pointer in struct k_thread.
 */
	.text

/* void host_swap(void **save, void *load) */
	.globl	host_swap
	.type	host_swap, @function
host_swap:
	pushq	%rbp
	pushq	%rbx
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	subq	$8, %rsp
	stmxcsr	(%rsp)
	fnstcw	4(%rsp)
	movq	%rsp, (%rdi)
	movq	%rsi, %rsp
	fldcw	4(%rsp)
	ldmxcsr	(%rsp)
	addq	$8, %rsp
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbx
	popq	%rbp
	ret
	.size	host_swap, . - host_swap

/* Where a new thread comes out of host_swap(): its entry and arguments in rbx, r12-r14. */
	.globl	host_thread_begin
	.type	host_thread_begin, @function
host_thread_begin:
	.cfi_startproc
	.cfi_undefined %rip		/* backtraces end here */
	movq	%rbx, %rdi
	movq	%r12, %rsi
	movq	%r13, %rdx
	movq	%r14, %rcx
	call	host_thread_main
	hlt
	.cfi_endproc
	.size	host_thread_begin, . - host_thread_begin

	.section .note.GNU-stack, "", @progbits
