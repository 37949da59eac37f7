/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls, and the way to user mode.
 *
 * A call is a SYSCALL with its number in eax and its arguments where a function has them, but for
 * the fourth, in r10, since SYSCALL takes rcx. The user's stub behaves as a function does: what
 * a callee may change need not be saved, and is cleared on the way back, but for the result. rflags
 * come back as a function begins with them.
 *
 * SYSCALL changes no stack. Between it and the second instruction here the core runs in ring 0 on
 * the user's: so interrupts are masked by SYSCALL (IA32_FMASK, views.c), and what cannot be masked,
 * an NMI, a machine check, a debug exception or a fault, has a stack of its own by the IST
 * (descriptors.c). One core, so no SWAPGS is needed: all is found from the pc.
 */
#include <offsets.h>
#include "frames.h"
#include "floating_point.inc"
#include "user.inc"

	.macro in_kernel_mode_jump to
	movl %cs, %eax
	testb $3, %al
	jz \to
	.endm
	.macro system_call number
	movl $\number, %eax
	movq %rcx, %r10
	syscall
	ret
	.endm
	.macro user_jump to
	jmp \to
	.endm
#define STUB_SECTION .user_text /* in either mode's pages */
#include "kernel/base/stubs.inc"

	.section .text.x86_64_call, "ax"
	.balign 16
	.globl x86_64_call
	.type x86_64_call, @function
x86_64_call:
	movq %rsp, %r11
	movq x86_64_task_state + TSS_KERNEL_STACK(%rip), %rsp
	pushq %r11
	pushq %rcx
#ifdef CONFIG_IPC
	cmpq $IPC_CALL, %rax
	je x86_64_ipc_call
	testq %rax, %rax
	js x86_64_ipc
#endif
	movq %r10, %rcx
	cmpq $NUM_FAST, %rax
	jae .Lnot_fast

	/*
	 * A fast path (fast.c) leaves r8 to r10 alone, and they hold the user's own. Masked
	 * to its end, so whose view is loaded stays as it is; and rcx is where the core says that
	 * the SYSCALL was, which is canonical.
	 */
	movl %eax, %r10d
	call *fast_table(,%rax,8)
.Ldone:
	popq %rcx
	movl $RFLAGS_USER, %r11d
	xorl %edx, %edx
	xorl %esi, %esi
	xorl %edi, %edi
	xorl %r8d, %r8d
	xorl %r9d, %r9d
	xorl %r10d, %r10d
	popq %rsp
	sysretq

	/*
	 * Or it goes on here: all is verified, or nothing is done yet, r10 the number.
	 */
	.globl arch_user_call_checked, arch_user_call_verified
arch_user_call_checked:
	movq checked_table(,%r10,8), %rax
	jmp .Lslow
arch_user_call_verified:
	movq syscall_table(,%r10,8), %rax
.Lslow:
	addq $8, %rsp
	sti
	call *%rax
	jmp .Lcalled

.Lnot_fast:
	cmpq $NUM_SYSCALLS, %rax
	jae .Lno_such_call
.Lknown_call:
	sti
	call *syscall_table(,%rax,8)
.Lcalled:
	cli
	fpu_forget_call
	movq k_cpu + CPU_CURRENT(%rip), %rdi
	cmpq %rdi, x86_64_user_loaded(%rip)
	jne .Lload
.Lloaded:
	/*
	 * SYSRET to an address that is not canonical faults in ring 0, on the user's stack. So bit
	 * 47 is made that of all above it, whatever they were: then it is user mode that faults
	 * there.
	 */
	popq %rcx
	shlq $16, %rcx
	sarq $16, %rcx
	movl $RFLAGS_USER, %r11d
	xorl %edx, %edx
	xorl %esi, %esi
	xorl %edi, %edi
	xorl %r8d, %r8d
	xorl %r9d, %r9d
	xorl %r10d, %r10d
	popq %rsp
	sysretq
	.globl x86_64_no_such_call
x86_64_no_such_call: /* from ipc.S */
.Lno_such_call:
	movl $NUM_SYSCALLS, %eax /* the entry behind the last */
	jmp .Lknown_call
.Lload:
	pushq %rax
	pushq %rax
	call x86_64_user_load
	popq %rax
	popq %rax
	jmp .Lloaded
	.size x86_64_call, . - x86_64_call

	/* Back out of an interrupt, to user mode: trap.S, resume. */
	.section .text.x86_64_resume_user, "ax"
	.globl x86_64_resume_user
	.type x86_64_resume_user, @function
x86_64_resume_user:
	movq k_cpu + CPU_CURRENT(%rip), %rdi
	cmpq %rdi, x86_64_user_loaded(%rip)
	je resume_saved
	call x86_64_user_load
	jmp resume_saved
	.size x86_64_resume_user, . - x86_64_resume_user

	.section .text.arch_user_enter, "ax"
	.globl arch_user_enter
	.type arch_user_enter, @function
/* rdi entry, p1, p2, p3; rsi end of its stack; rdx, of that of its calls, is known */
arch_user_enter:
	cli
	subq $8, %rsp
	leaq -8(%rsi), %rbx
	leaq x86_64_user_return(%rip), %rax
	movq %rax, (%rbx) /* the stack is loaded for nobody yet, so it is the kernel's to write */
	movq %rdi, %r12
	movq k_cpu + CPU_CURRENT(%rip), %rdi
	call x86_64_user_load
#ifdef CONFIG_FPU
	call x86_64_fpu_drop
#endif
	movq (%r12), %rcx
	shlq $16, %rcx /* canonical: see above */
	sarq $16, %rcx
	movq 8(%r12), %rdi
	movq 16(%r12), %rsi
	movq 24(%r12), %rdx
	movq %rbx, %rsp
	movl $RFLAGS_USER, %r11d
	.irp register, eax, ebx, ebp, r8d, r9d, r10d, r12d, r13d, r14d, r15d
	xorl %\register, %\register
	.endr
	sysretq
	.size arch_user_enter, . - arch_user_enter

	.section .user_text.x86_64_user_return, "ax"
	.type x86_64_user_return, @function
x86_64_user_return: /* in user mode: the thread's entry has returned */
	subq $8, %rsp
1:	call __wrap_k_current_get
	movq %rax, %rdi
	call __wrap_k_thread_abort
	jmp 1b
	.size x86_64_user_return, . - x86_64_user_return

	.section .text.arch_user_continue, "ax"
	.globl arch_user_continue
	.type arch_user_continue, @function
arch_user_continue: /* rdi place, rsi begin */
	movq %rdi, %rsp
	call *%rsi
	.size arch_user_continue, . - arch_user_continue

	.section .note.GNU-stack, "", @progbits
