/* SPDX-License-Identifier: Apache-2.0 */
/* A system call by its number, whatever it is: past the stubs, as hostile code calls. */
	.text
	/* uintptr_t raw_call(unsigned int number, const uintptr_t arguments[6]) */
	.globl	raw_call
	.type	raw_call, @function
raw_call:
	movl	%edi, %eax
	movq	%rsi, %r11
	movq	(%r11), %rdi
	movq	8(%r11), %rsi
	movq	16(%r11), %rdx
	movq	24(%r11), %rcx
	movq	32(%r11), %r8
	movq	40(%r11), %r9
	jmp	host_system_call
	.size	raw_call, . - raw_call

	.section .note.GNU-stack, "", @progbits
