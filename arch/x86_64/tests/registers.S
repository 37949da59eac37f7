/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See tests/kernel/registers.c. Each register holds seed and its own number, 1 to 15; the seed is
 * in both halves.
 */

#include "../frame.inc"

#define SEED  0
#define STOP  8 /* or rounds */
#define SPARE 16
#define HIGH  24 /* half of a floating-point register; or MXCSR */
#define SIZE  32

	.macro enter
	push_callee_saved rdi
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

#ifdef CONFIG_FPU
	/*
	 * xmm0 to xmm15 hold seed and number in both halves, and MXCSR a way of rounding. rax is
	 * the seed; rcx is used.
	 */
	.macro fill_fpu
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	leaq \n(%rax), %rcx
	movq %rcx, %xmm\n
	punpcklqdq %xmm\n, %xmm\n
	.endr
	expected_mxcsr %rax, %ecx
	movl %ecx, HIGH(%rsp)
	ldmxcsr HIGH(%rsp)
	.endm

	.macro expected_mxcsr seed, register
	btq $16, \seed
	sbbl \register, \register
	andl $0x2000, \register
	orl $0x1f80, \register
	.endm

	/* rax and rdi are used; eax holds what leave returns. */
	.macro check_fpu
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	movhps %xmm\n, HIGH(%rsp)
	movq %xmm\n, %rax
	movq SEED(%rsp), %rdi
	addq $\n, %rdi
	cmpq %rax, %rdi
	movl $64 + \n, %eax
	jne leave
	cmpq HIGH(%rsp), %rdi
	jne leave
	.endr
	movq SEED(%rsp), %rdi
	stmxcsr HIGH(%rsp)
	expected_mxcsr %rdi, %eax
	cmpl HIGH(%rsp), %eax
	movl $96, %eax
	jne leave
	.endm
#else
	.macro fill_fpu
	.endm

	.macro check_fpu
	.endm
#endif

	.text
	.globl registers_spin
	.type registers_spin, @function
registers_spin:
	enter
	fill_fpu
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
	check_fpu
	movq STOP(%rsp), %rdi
	cmpl $0, (%rdi)
	movq SPARE(%rsp), %rdi
	je again
	xorl %eax, %eax
leave:
	addq $SIZE, %rsp
	pop_callee_saved rdi
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
