/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arch_copy_guarded(): a copy that survives a fault of the side that belongs to somebody
 * else. fault.c asks where the fault was (between arch_copy_guarded and x86_64_copy_end),
 * whether it was a load or a store, and what ecx calls untrusted; then it continues at
 * x86_64_copy_faulted. All state is in caller-saved registers, so copies nest. Rejected:
 * probing before copying, which is a second walk, and no answer to what changes meanwhile; REP
 * MOVS, whose start takes longer than most messages' copying.
 *
 * Words where both sides can be aligned alike, else bytes: a pointer of somebody else's may lead
 * to a device.
 */
#include <offsets.h>
#include "frames.h"
#include "user.inc"

	.section .text.arch_copy_guarded, "ax"
	.balign 16
	.globl arch_copy_guarded
	.type arch_copy_guarded, @function
arch_copy_guarded: /* rdi to, rsi from, rdx bytes, ecx untrusted */
	open_users_pages
	movl %edi, %eax
	xorl %esi, %eax
	testb $7, %al
	jnz .Lbytes
.Lalign: /* Bound: seven rounds. */
	testb $7, %dil
	jz .Lblocks
	testq %rdx, %rdx
	jz .Ldone
	movb (%rsi), %al
	movb %al, (%rdi)
	incq %rsi
	incq %rdi
	decq %rdx
	jmp .Lalign
.Lblocks:
	subq $32, %rdx
	jb .Lwords
.Lblock: /* Bound: bytes / 32. */
	movq (%rsi), %rax
	movq 8(%rsi), %r8
	movq 16(%rsi), %r9
	movq 24(%rsi), %r10
	movq %rax, (%rdi)
	movq %r8, 8(%rdi)
	movq %r9, 16(%rdi)
	movq %r10, 24(%rdi)
	addq $32, %rsi
	addq $32, %rdi
	subq $32, %rdx
	jae .Lblock
.Lwords:
	addq $32 - 8, %rdx
	js .Lrest
.Lword: /* Bound: three rounds. */
	movq (%rsi), %rax
	movq %rax, (%rdi)
	addq $8, %rsi
	addq $8, %rdi
	subq $8, %rdx
	jns .Lword
.Lrest:
	addq $8, %rdx
.Lbytes:
	testq %rdx, %rdx
	jz .Ldone
.Lbyte: /* Bound: bytes. */
	movb (%rsi), %al
	movb %al, (%rdi)
	incq %rsi
	incq %rdi
	decq %rdx
	jnz .Lbyte
.Ldone:
	close_users_pages
	xorl %eax, %eax
	ret
	.globl x86_64_copy_end
x86_64_copy_end:

	.globl x86_64_copy_faulted
x86_64_copy_faulted:
	close_users_pages
	movl $COPY_FAULTED, %eax
	ret
	.size arch_copy_guarded, . - arch_copy_guarded

	.section .note.GNU-stack, "", @progbits
