/* SPDX-License-Identifier: Apache-2.0 */
/*
 * User mode's side of calls and answers: the message's words, and with them up to six machine words
 * of bytes, are loaded into registers, and stored from them, by user mode itself, on its own
 * account: the kernel looks after the receiver's capacity only (kernel/ipc/fast_bytes.c).
 * Which registers: ipc.S. A message with bytes that is not fast changes nothing and comes back
 * with 1, which is no result: the caller then makes an ordinary system call of it
 * (kernel/ipc/verify_ipc.c).
 */
/*
 * Calls and answers of four words, in registers. Going in: rdi gate or endpoint, esi time-out if
 * there is one, the words in rdx and r8 to r10, rax which of both. Coming back: eax the result, the
 * words in the same, rdi the badge. With bytes besides, and for as long as it takes: they are in
 * rbx, rbp and r12 to r15, rsi says where those that come belong, and rax how many there are and
 * may come, too (user.inc). Coming back, esi says how many have; in bit 32, that they are in memory
 * already.
 *
 * The usual ones are fast (kernel/ipc/fast.c): that leaves the words' registers alone, so
 * they are in the receiver's hands as soon as the other registers are its own. Who waits so has a
 * frame at the end of its stack of system calls that looks as if it had called arch_switch():
 * whoever wakes it by any other way need not know, and it goes on at .Lcame, with its words out of
 * its block. That return address tells a frame from others.
 *
 * Up to six machine words of bytes are loaded and stored by user mode itself, on its own account:
 * the kernel looks after the receiver's capacity only (kernel/ipc/fast_bytes.c). A message
 * with bytes that is not fast changes nothing and comes back with 1, which is no result: the
 * caller then makes an ordinary system call of it (kernel/ipc/verify_ipc.c).
 */
#include <offsets.h>
#include "frames.h"
#include "user.inc"

#define MESSAGE_BADGE 32
#define MESSAGE_DATA  40
#define MESSAGE_SIZE  48 /* its capacity, for another one, behind it */

	/* ---- user mode: NAME(object, message, timeout) ---- */

	/*
	 * The six words of bytes, by moves of four bytes each, so that a ladder is entered by how
	 * many there are.
	 */
	.macro load_bytes
	movq 40(%rsi), %r15
	movq 32(%rsi), %r14
	movq 24(%rsi), %r13
	movq 16(%rsi), %r12
	movq 8(%rsi), %rbp
	{disp8} movq 0(%rsi), %rbx
	.endm

	.macro store_bytes
	movq %r15, 40(%r11)
	movq %r14, 32(%r11)
	movq %r13, 24(%r11)
	movq %r12, 16(%r11)
	movq %rbp, 8(%r11)
	{disp8} movq %rbx, 0(%r11)
	.endm

	/* Go to where `bytes` of them are left to do before `end`. Changes temporary. */
	.macro enter_ladder bytes, temporary, end
	movl \bytes, %e\temporary
	shrl $1, %e\temporary
	negq %r\temporary
	addq $\end, %r\temporary
	jmp *%r\temporary
	.endm

	.macro message_call name, with_bytes, number, bytes_call
	.balign 16
	.globl \name
	.type \name, @function
\name:
	movq MESSAGE_SIZE(%rsi), %rax
	orq MESSAGE_SIZE + 8(%rsi), %rax
	jnz 4f
	cmpl $-1, %edx
	jne 2f
	pushq %rsi
	movq (%rsi), %rdx
	movq 8(%rsi), %r8
	movq 16(%rsi), %r9
	movq 24(%rsi), %r10
	movq $\number, %rax
3:	syscall
	popq %rsi
	testl %eax, %eax
	jnz 1f
	movq %rdx, (%rsi)
	movq %r8, 8(%rsi)
	movq %r9, 16(%rsi)
	movq %r10, 24(%rsi)
	movq %rdi, MESSAGE_BADGE(%rsi)
	/* Its size is 0, as it was. */
1:	ret
2:	pushq %rsi
	movl %edx, %eax
	movq (%rsi), %rdx
	movq 8(%rsi), %r8
	movq 16(%rsi), %r9
	movq 24(%rsi), %r10
	movl %eax, %esi
	movq $\number + IPC_CALL_TIMED - IPC_CALL, %rax
	jmp 3b

	/*
	 * 56 bytes and as much capacity at most, in whole words, as one look tells; or these are
	 * looked at one by one.
	 */
4:	testq $~0x38, %rax
	movq MESSAGE_SIZE(%rsi), %rax
	movq MESSAGE_SIZE + 8(%rsi), %rcx
	jnz 10f
11:	cmpl $-1, %edx
	jne \with_bytes
	pushq %rsi
	pushq %rbx
	pushq %rbp
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	movq (%rsi), %rdx
	movq 8(%rsi), %r8
	movq 16(%rsi), %r9
	movq 24(%rsi), %r10
	movq MESSAGE_DATA(%rsi), %rsi
	cmpb $BYTES_MAX, %al
	jne 6f
	load_bytes
.L\name\()_loaded:
	orl $\bytes_call, %eax
	shlq $IPC_BYTES_SHIFT, %rax
	orq %rcx, %rax
	syscall
	testl %eax, %eax
	jnz 7f
	movq 48(%rsp), %rcx
	movl %esi, %eax
	movq MESSAGE_DATA(%rcx), %r11
	movq %rdx, (%rcx)
	movq %r8, 8(%rcx)
	movq %r9, 16(%rcx)
	movq %r10, 24(%rcx)
	movq %rdi, MESSAGE_BADGE(%rcx)
	movq %rax, MESSAGE_SIZE(%rcx)
	cmpq $BYTES_MAX, %rsi
	jne 8f
	store_bytes
.L\name\()_stored:
	xorl %eax, %eax
5:	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %rbp
	popq %rbx
	popq %rsi
	ret
10:	cmpq $BYTES_MAX, %rax
	ja \with_bytes
	testb $7, %al
	jnz \with_bytes
	movl %ecx, %r11d
	cmpq %r11, %rcx /* so much capacity can be said */
	je 11b
	jmp \with_bytes
6:	ja 12f
	enter_ladder %eax, bx, 9f
	load_bytes
9:	jmp .L\name\()_loaded
7:	js 5b
12:	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %rbp
	popq %rbx
	popq %rsi
	movl $-1, %edx /* rdi is what it was */
	jmp \with_bytes
8:	btq $IPC_BYTES_IN_MEMORY, %rsi
	jc .L\name\()_stored
	enter_ladder %esi, ax, 9f
	store_bytes
9:	jmp .L\name\()_stored
	.size \name, . - \name
	.endm

	.section .user_text.x86_64_message_stubs, "ax"
	/* who looks at the user's stack finds a word more there: views.c */
	.globl x86_64_message_stubs
x86_64_message_stubs:
	message_call user_k_ipc_call, __wrap_user_ipc_call, IPC_CALL, IPC_BYTES_CALL
	message_call user_k_ipc_reply_receive, __wrap_user_ipc_reply_receive, IPC_REPLY_RECEIVE, IPC_BYTES_REPLY

	.globl x86_64_message_stubs_end
x86_64_message_stubs_end:

	.section .note.GNU-stack, "", @progbits
