/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The registers in rows with floating-point state (suites/ipc/calls.c): both halves of xmm0 to
 * xmm15 hold pattern + n, MXCSR a way of rounding, and x87's stack a number. A system call keeps
 * what a function keeps, how to round; in the others may be nothing of others'. (A fast message
 * keeps all.)
 */
#define MXCSR_AT_RESET       0x1f80
#define MXCSR_ROUNDING_SHIFT 13

	.section .text.floating_fill, "ax"
	.globl floating_fill
	.type floating_fill, %function
floating_fill: /* rdi the pattern */
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	leaq \n(%rdi), %rax
	movq %rax, %xmm\n
	punpcklqdq %xmm\n, %xmm\n
	.endr
	fninit
	pushq %rdi
	fildq (%rsp)
	andl $3, %edi
	shll $MXCSR_ROUNDING_SHIFT, %edi
	orl $MXCSR_AT_RESET, %edi
	movl %edi, (%rsp)
	ldmxcsr (%rsp)
	popq %rdi
	ret
	.size floating_fill, . - floating_fill

	/* To 1f where rcx is neither rax nor nothing. */
	.macro own_or_nothing
	testq %rcx, %rcx
	jz 2f
	cmpq %rax, %rcx
	jne 1f
2:
	.endm

	.section .text.floating_is, "ax"
	.globl floating_is
	.type floating_is, %function
floating_is: /* rdi the pattern */
	subq $8, %rsp
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	leaq \n(%rdi), %rax
	movq %xmm\n, %rcx
	own_or_nothing
	punpckhqdq %xmm\n, %xmm\n
	movq %xmm\n, %rcx
	own_or_nothing
	.endr
	fistpq (%rsp)
	fnstsw %ax
	/* its stack was empty: that is an error, which nobody traps, and QEMU takes it for 0 */
	testb $1, %al
	jnz 3f
	movq %rdi, %rax
	movq (%rsp), %rcx
	own_or_nothing
3:	stmxcsr (%rsp)
	movl (%rsp), %eax
	shrl $MXCSR_ROUNDING_SHIFT, %eax
	xorl %edi, %eax
	testb $3, %al
	jnz 1f
	movl $1, %eax
	addq $8, %rsp
	ret
1:	xorl %eax, %eax
	addq $8, %rsp
	ret
	.size floating_is, . - floating_is

	.section .note.GNU-stack, "", @progbits
