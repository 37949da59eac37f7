/* SPDX-License-Identifier: Apache-2.0 */
/* The floor on x86-64 in long mode. See suites/floor/floor.h. */
#include <board.h>
#include "../frame.inc"

#define LAPIC_EOI 0x0b0

	/* One that made a call. */
	.macro continue_context
	pop_callee_saved rdx
	testl $RFLAGS_IF, %edx
	jz 1f
	sti
1:	ret
	.endm

	/* Mask; the state before goes to rdx. */
	.macro mask
	pushfq
	popq %rdx
	cli
	.endm

	.macro unmask
	testl $RFLAGS_IF, %edx
	jz 1f
	sti
1:
	.endm

	.macro swap_stacks place with
	movq %rsp, \place
	movq \with, %rsp
	.endm

	/* What an interrupt must keep for the C function that it calls. */
	.macro save_interrupted
	pushq %rax
	push_caller_saved
	.endm

	.macro continue_interrupted
	pop_caller_saved
	iretq
	.endm

	.macro function name
	.section .text.\name, "ax"
	.balign 16
	.globl \name
	.type \name, @function
\name:
	.endm

	function floor_prepare /* rdi top, rsi entry */
	andq $-16, %rdi
	leaq -72(%rdi), %rax /* as if entry() had been called */
	movq $RFLAGS_IF, (%rax)
	movq %rsi, 56(%rax)
	ret

	/* The waiter waits in a call, like any other. */
	.globl floor_prepare_waiter
	.type floor_prepare_waiter, @function
	.set floor_prepare_waiter, floor_prepare

	function floor_yield /* rdi where the other's context is */
	mask
	movq (%rdi), %rax
	push_callee_saved rdx
	swap_stacks (%rdi), %rax
	continue_context

	function floor_sem_give /* rdi semaphore: count, waiter, ready */
	mask
	incl (%rdi)
	jle 2f
	unmask
	ret
2:	movq 8(%rdi), %rcx
	push_callee_saved rdx
	swap_stacks 16(%rdi), %rcx
	xorl %eax, %eax /* what the waiter's take returns */
	continue_context

	function floor_sem_take
	mask
	decl (%rdi)
	js 2f
	unmask
	xorl %eax, %eax
	ret
2:	movq 16(%rdi), %rcx
	push_callee_saved rdx
	swap_stacks 8(%rdi), %rcx
	continue_context

	function floor_mutex_lock /* rdi mutex: owner, levels */
	movq floor_current(%rip), %rax
	cmpq %rax, (%rdi)
	jne 1f
	incl 8(%rdi)
	xorl %eax, %eax
	ret
1:	movl $-1, %eax
	ret

	function floor_mutex_unlock
	movq floor_current(%rip), %rax
	cmpq %rax, (%rdi)
	jne 1f
	cmpl $1, 8(%rdi)
	je 1f /* the last level would have to look for waiters */
	decl 8(%rdi)
	xorl %eax, %eax
	ret
1:	movl $-1, %eax
	ret

	.macro handle
	call floor_handler
	movl $BOARD_LAPIC_BASE + LAPIC_EOI, %eax
	movl $0, (%rax)
	.endm

	function floor_vector_returning
	save_interrupted
	handle
	continue_interrupted

	/* The interrupted context: what the interrupt saved, and below it what a call keeps. */
	function floor_vector_switching
	save_interrupted
	handle
	movq floor_waiter(%rip), %rcx
	push_callee_saved rdx
	swap_stacks floor_waiter(%rip), %rcx
	continue_context

	function floor_wait
	mask
	movq floor_waiter(%rip), %rcx
	push_callee_saved rdx
	swap_stacks floor_waiter(%rip), %rcx
	pop_callee_saved rdx
	continue_interrupted

	.section .bss.floor, "aw", @nobits
	.balign 8
	.globl floor_current
floor_current:
	.zero 8
	.globl floor_waiter
floor_waiter:
	.zero 8

	.section .note.GNU-stack, "", @progbits
