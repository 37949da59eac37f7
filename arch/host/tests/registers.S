/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See tests/kernel/registers.c. Interrupts are calls on this machine, so only what a call must
 * keep is tested; time passes in host_advance(). Registers hold seed + 1, + 2 and so on.
 */
	.text

	.macro enter
	pushq	%rbp
	pushq	%rbx
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	subq	$24, %rsp
	movq	%rdi, (%rsp)	/* seed */
	movq	%rsi, 8(%rsp)	/* stop, or rounds */
	leaq	1(%rdi), %rbx
	leaq	2(%rdi), %rbp
	leaq	3(%rdi), %r12
	leaq	4(%rdi), %r13
	leaq	5(%rdi), %r14
	leaq	6(%rdi), %r15
	.endm

	.macro check number, register
	movl	$\number, %eax
	movq	(%rsp), %rdi
	addq	$\number, %rdi
	cmpq	\register, %rdi
	jne	leave
	.endm

	.macro check_all
	check	1, %rbx
	check	2, %rbp
	check	3, %r12
	check	4, %r13
	check	5, %r14
	check	6, %r15
	.endm

	.globl	registers_spin
	.type	registers_spin, @function
registers_spin:
	enter
1:
	movl	$1000, %edi
	call	host_advance
	check_all
	movq	8(%rsp), %rdi
	cmpl	$0, (%rdi)
	je	1b
	xorl	%eax, %eax
leave:
	addq	$24, %rsp
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbx
	popq	%rbp
	ret
	.size	registers_spin, . - registers_spin

	.globl	registers_yield
	.type	registers_yield, @function
registers_yield:
	enter
1:
	call	k_yield
	check_all
	decq	8(%rsp)
	jnz	1b
	xorl	%eax, %eax
	jmp	leave
	.size	registers_yield, . - registers_yield

	.section .note.GNU-stack, "", @progbits
