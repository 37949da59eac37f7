/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See tests/kernel/registers.c. Each register holds seed and its own number, 1 to 15; the seed is in
 * both halves.
 */

#define SEED  0
#define STOP  8 /* or rounds */
#define SPARE 16
#define SIZE  24

	.macro enter
	pushq %rbx
	pushq %rbp
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	subq $SIZE, %rsp
	movq %rdi, %rax
	shlq $32, %rax
	orq %rdi, %rax
	movq %rax, SEED(%rsp)
	movq %rsi, STOP(%rsp)
	.endm

	/* rax is the seed. */
	.macro fill number register more:vararg
	leaq \number(%rax), %\register
	.ifnb \more
	fill \more
	.endif
	.endm

	/* rdi is used; rax holds what leave returns. */
	.macro check number register more:vararg
	movl $\number, %eax
	movq SEED(%rsp), %rdi
	addq $\number, %rdi
	cmpq %\register, %rdi
	jne leave
	.ifnb \more
	check \more
	.endif
	.endm

	.text
	.globl registers_spin
	.type registers_spin, @function
registers_spin:
	enter
	fill 2, rbx, 3, rcx, 4, rdx, 5, rsi, 6, rdi, 7, rbp, 8, r8, 9, r9, 10, r10, 11, r11, 12, r12, 13, r13, 14, r14, 15, r15
again:
	movq SEED(%rsp), %rax
	incq %rax
	.rept 24
	nop
	.endr
	movq %rdi, SPARE(%rsp)
	movq SEED(%rsp), %rdi
	incq %rdi
	cmpq %rdi, %rax
	movl $1, %eax
	jne leave
	movq SPARE(%rsp), %rax
	movq SEED(%rsp), %rdi
	addq $6, %rdi
	cmpq %rdi, %rax
	movl $6, %eax
	jne leave
	check 2, rbx, 3, rcx, 4, rdx, 5, rsi, 7, rbp, 8, r8, 9, r9, 10, r10, 11, r11, 12, r12, 13, r13, 14, r14, 15, r15
	movq STOP(%rsp), %rdi
	cmpl $0, (%rdi)
	movq SPARE(%rsp), %rdi
	je again
	xorl %eax, %eax
leave:
	addq $SIZE, %rsp
	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %rbp
	popq %rbx
	ret
	.size registers_spin, . - registers_spin

	.globl registers_yield
	.type registers_yield, @function
registers_yield:
	enter
	fill 2, rbx, 7, rbp, 12, r12, 13, r13, 14, r14, 15, r15
1:	call k_yield
	check 2, rbx, 7, rbp, 12, r12, 13, r13, 14, r14, 15, r15
	decq STOP(%rsp)
	jnz 1b
	xorl %eax, %eax
	jmp leave
	.size registers_yield, . - registers_yield

	.section .note.GNU-stack, "", @progbits
