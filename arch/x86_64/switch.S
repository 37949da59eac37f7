/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The context switch: a function call that returns in another thread. Only what a
 * call must preserve is saved. A thread that was interrupted comes here too, called
 * by the end of its interrupt (trap.S), which has saved the rest: so there is one
 * kind of frame, and no test for which.
 */
#include <offsets.h>
#include "frame.inc"
#include "floating_point.inc"
#include "trace.inc"

	.section .text.arch_switch, "ax"
	.balign 16
	.globl arch_switch
	.type arch_switch, @function
arch_switch: /* rdi from, rsi to, edx key */
	push_callee_saved rdx
	movq %rsp, THREAD_SP(%rdi)
	.globl x86_64_switch_saved /* a fault before is `from`'s, one behind is `to`'s: fault.c */
x86_64_switch_saved:
.Lrestore:
	branch_if_fpu %rsi, %rax, .Lfpu
.Lturned:
	movq THREAD_SP(%rsi), %rsp
#ifdef CONFIG_THREAD_LOCAL_STORAGE
	movl THREAD_TLS(%rsi), %eax
	movl THREAD_TLS + 4(%rsi), %edx
	movl $MSR_FS_BASE, %ecx
	wrmsr /* which nobody else writes: not saved */
#endif
	movq THREAD_WAKE_VALUE(%rsi), %rax
	pop_callee_saved rdx
	trace_switched_hook
	testl $RFLAGS_IF, %edx
	jz 1f
	sti /* takes effect behind the return */
1:	ret
#ifdef CONFIG_FPU
.Lfpu:
	turn_fpu %rsi, %rax, %rcx, .Lturned
#endif
	.size arch_switch, . - arch_switch

	.globl arch_start
	.type arch_start, @function
arch_start: /* rdi first */
	movq %rdi, %rsi
	jmp .Lrestore
	.size arch_start, . - arch_start

	/* Where a new thread's first frame returns to; see arch_stack_init(). */
	.globl x86_64_thread_start
	.type x86_64_thread_start, @function
x86_64_thread_start:
	movq %r12, %rdi
	movq %r13, %rsi
	movq %r14, %rdx
	pushq $thread_exit
	jmpq *%rbx
	.size x86_64_thread_start, . - x86_64_thread_start

	.section .note.GNU-stack, "", @progbits
