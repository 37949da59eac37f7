/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The copying of arch_copy_guarded() (copy.c), and the two places where it can fault. By
 * bytes: nobody measures this machine.
 */
#include "copy.h"

	.text

/* enum arch_copy_fault host_copy(void *to, const void *from, size_t bytes, unsigned untrusted) */
	.globl	host_copy
	.type	host_copy, @function
host_copy:
	xorl	%r8d, %r8d
	jmp	2f
	.globl	host_copy_load
	.globl	host_copy_store
1:
host_copy_load:
	movb	(%rsi,%r8), %al
host_copy_store:
	movb	%al, (%rdi,%r8)
	incq	%r8
2:	cmpq	%rdx, %r8
	jne	1b
	xorl	%eax, %eax
	ret
	.globl	host_copy_faulted
host_copy_faulted:
	movl	$HOST_COPY_FAULTED, %eax
	ret
	.size	host_copy, . - host_copy

	.section .note.GNU-stack, "", @progbits
