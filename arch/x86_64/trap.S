/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traps. Interrupts come on the stack of what they interrupt, save the caller-saved registers
 * there and run their handlers, masked, on one stack of their own. A handler that is
 * interrupted takes the path `nested`: it is on the handlers' stack already, and no switch
 * follows it. Exceptions come on a stack of their own (descriptors.c), since the one that the
 * thread has may be what is wrong.
 *
 * A vector's low four bits are the interrupt's line, so each line has one piece of code for all
 * classes of urgency, and nobody has to be asked which line it is.
 */
#include <board.h>
#include <offsets.h>
#include "frame.inc"
#include "floating_point.inc"
#include "trace.inc"
#include "user.inc"

	/* rax: the line's struct irq_entry. */
	.macro call_handler
	cld
	movq IRQ_ENTRY_ARG(%rax), %rdi
	call *IRQ_ENTRY_HANDLER(%rax)
	movl $BOARD_LAPIC_BASE + LAPIC_EOI, %eax
	movl $0, (%rax)
	.endm

	/*
	 * With guard pages: what comes before the look at the stack pointer (sched_preempt()) needs
	 * less than that. A hit here is the thread's own, nothing being half done; a later one is
	 * not to be told from others.
	 */
	.macro check_room_for_preemption
#ifdef CONFIG_STACK_GUARD_PAGES
	.globl x86_64_preempt_check, x86_64_preempt_checked
x86_64_preempt_check:
	orb $0, -256(%rsp)
x86_64_preempt_checked:
#endif
	.endm

	.section .text.trap, "ax"
	.balign 16
	.globl x86_64_lines /* 16 bytes each, see descriptors.c */
x86_64_lines:
	.set line, 0
	.rept VECTOR_LINES - 1
	.balign 16
	pushq %rax
	movq x86_64_entries + 8 * line(%rip), %rax
	jmp interrupt
	.set line, line + 1
	.endr

	/* of an interrupt that was gone when it was to be taken: not ended */
	.globl x86_64_spurious
x86_64_spurious:
	iretq

	.balign 16
	.type interrupt, @function
	.globl x86_64_interrupt
	.globl x86_64_interrupt_saved
interrupt:
x86_64_interrupt:
	push_caller_saved
x86_64_interrupt_saved:
	close_users_pages
	cmpq $0, k_cpu + CPU_IN_ISR(%rip)
	jne nested
	movq %rsp, k_cpu + CPU_IN_ISR(%rip) /* says that a handler runs, and where to go back to */
	movq $x86_64_isr_stack_top, %rsp
	fpu_handler_begins
	trace_isr_enter_hook
	call_handler
leave:
	fpu_handler_ends
	movq k_cpu + CPU_IN_ISR(%rip), %rsp
	movq $0, k_cpu + CPU_IN_ISR(%rip)
	cmpl $0, k_cpu + CPU_SWITCH(%rip)
	jne switch
	trace_thread_in_hook
resume:
	branch_if_to_user x86_64_resume_user
	.globl resume_saved
resume_saved:
	pop_caller_saved
	iretq

	/*
	 * sched_preempt() for the usual case: the interrupted thread is queued, and what
	 * was made ready outranks it. Everything else is the C function's.
	 */
switch:
	check_room_for_preemption
	movl $0, k_cpu + CPU_SWITCH(%rip)
	movq k_cpu + CPU_CURRENT(%rip), %rdi
#ifndef CONFIG_SWITCH_IN_C
	movq k_cpu + CPU_BEST(%rip), %rsi
	movb THREAD_PRIO(%rsi), %al
	cmpb THREAD_THRESHOLD(%rdi), %al
	jge resume_preempted
#ifdef CONFIG_TIMESLICING
	cmpl $0, k_cpu + CPU_SLICED(%rip)
	jne decide
#endif
	cmpb $0x80, THREAD_STATE(%rdi) /* K_THREAD_QUEUED, and nothing else */
	jne decide
	movq %rsi, k_cpu + CPU_CURRENT(%rip)
	jmp do_switch
decide:
#endif
	pushq %rdi
	pushq %rdi
	call sched_preempt
	popq %rdi
	popq %rdi
	movq %rax, %rsi
	cmpq %rdi, %rsi
	je resume_preempted
do_switch:
	xorl %edx, %edx
	call arch_switch
	.globl resume_preempted
resume_preempted:
	trace_thread_in_hook
	jmp resume

nested:
	branch_if_fpu_of_handlers nested_fpu
	call_handler
	jmp resume
#ifdef CONFIG_FPU
nested_fpu: /* the one that is interrupted computes */
	movq %rsp, %rcx
	subq $FPU_SIZE, %rsp
	andq $-16, %rsp
	fxsave64 (%rsp)
	fxrstor64 x86_64_fpu_at_reset(%rip)
	pushq %rcx
	pushq %rcx
	call_handler
	popq %rcx
	popq %rcx
	fxrstor64 (%rsp)
	movq %rcx, %rsp
	jmp resume
#endif

	/*
	 * The core pushes an error code for some; each of these pushes what it does not, and which.
	 */
	.balign 16
	.globl x86_64_exceptions /* 16 bytes each, see descriptors.c */
x86_64_exceptions:
	.set vector, 0
	.rept VECTOR_EXCEPTIONS
	.balign 16
	.if ((1 << vector) & 0x60227d00) == 0 /* 8, 10 to 14, 17, 21, 29, 30 */
	pushq $0
	.endif
	.if vector == VECTOR_PAGE
	jmp page_fault
	.elseif vector == VECTOR_NMI
	jmp nmi
#ifdef CONFIG_FPU
	.elseif vector == VECTOR_FLOATING_POINT
	jmp fpu_is_used
#endif
	.else
	pushq $vector
	jmp exception
	.endif
	.set vector, vector + 1
	.endr

	/*
	 * Nobody's fault, and it may come at any instruction: counted, and nothing else is touched.
	 */
nmi:
	addq $8, %rsp
	incl x86_64_nmis(%rip)
	iretq

#ifdef CONFIG_FPU
	/* Any registers but the floating point's stay as they are. */
fpu_is_used:
	close_users_pages
	pushq %rax
	push_caller_saved
	cld
	subq $8, %rsp
	call x86_64_fpu_used
	addq $8, %rsp
	pop_caller_saved
	addq $8, %rsp
	iretq
#endif

page_fault:
	close_users_pages
	try_in_kernels_view
	pushq $VECTOR_PAGE

	.macro fault_store number register
	movq \register, x86_64_fault_frame + 8 * (\number)(%rip)
	.endm

	/*
	 * All registers into a place of their own. If the report returns, its thread is dead: what
	 * the switch saves of it goes nowhere.
	 */
	.balign 16
	.globl x86_64_exception
exception:
x86_64_exception:
	close_users_pages
	branch_if_users x86_64_user_fault
	fault_store FAULT_RAX, %rax
	fault_store FAULT_RBX, %rbx
	fault_store FAULT_RCX, %rcx
	fault_store FAULT_RDX, %rdx
	fault_store FAULT_RSI, %rsi
	fault_store FAULT_RDI, %rdi
	fault_store FAULT_RBP, %rbp
	fault_store FAULT_R(8), %r8
	fault_store FAULT_R(9), %r9
	fault_store FAULT_R(10), %r10
	fault_store FAULT_R(11), %r11
	fault_store FAULT_R(12), %r12
	fault_store FAULT_R(13), %r13
	fault_store FAULT_R(14), %r14
	fault_store FAULT_R(15), %r15
	popq x86_64_fault_frame + 8 * FAULT_VECTOR(%rip)
	popq x86_64_fault_frame + 8 * FAULT_ERROR(%rip)
	movq (%rsp), %rax
	movq 8(%rsp), %rsi
	movq 16(%rsp), %rcx
	movq 24(%rsp), %rdx
	movq %cr2, %rdi
	fault_store FAULT_RIP, %rax
	fault_store FAULT_CS, %rsi
	fault_store FAULT_RFLAGS, %rcx
	fault_store FAULT_RSP, %rdx
	fault_store FAULT_CR2, %rdi
	cld
	subq $8, %rsp
	call x86_64_copy_fault
	addq $8, %rsp
	testq %rax, %rax
	jz fault
	/* rax is the copy's result: all else that is not a callee's is dead there */
	movq %rax, (%rsp)
	iretq
	.globl x86_64_fault_of_frame
x86_64_fault_of_frame: /* from ipc.S, too */
fault:
	xorl %edi, %edi
	cmpq $0, k_cpu + CPU_IN_ISR(%rip)
	setne %dil
	movq $x86_64_isr_stack_top, %rsp
	movq %rsp, k_cpu + CPU_IN_ISR(%rip)
	load_kernels_view
	fpu_handler_begins
	call x86_64_fault
	jmp leave

	.section .note.GNU-stack, "", @progbits
