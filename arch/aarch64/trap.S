/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traps. Threads and handlers run at EL1 by SP_EL1, so a trap finds the interrupted stack in
 * sp. Interrupts save the caller-saved registers there and run their handlers, masked, on
 * one stack of their own.
 *
 * ELR and SPSR are not saved: nothing overwrites them before the eret, unless threads are
 * switched, and then the switching path saves them, or a handler lets other interrupts in,
 * and then arch_isr_window() does. With user threads they are, since a handler's store may be one
 * that is tried again (user.inc). A handler that is interrupted takes the path `nested`: it is on
 * the handlers' stack already, and no switch follows it.
 *
 * What comes out of user mode finds the thread's kernel stack in sp by the core's own doing
 * (threads in user mode run by SP_EL0), so an interrupt's way in is the same, and it is asked at
 * `resume` only where it goes back to. Exceptions have a way of their own, since most are system
 * calls (user.S).
 */
#include <arch_level.h>
#include <board.h>
#include "floating_point.inc"
#include <offsets.h>
#include "frame.inc"
#include "trace.inc"
#include "user.inc"
#include BOARD_INTC

	.macro restore_caller_saved_and_return
	restore_return
	restore_caller_saved
	eret
	.endm

	/* Call irq_table[line].handler(arg), if there is a line. */
	.macro call_handler
	intc_take 1f
	address x1, irq_table
	add x1, x1, x0, lsl #4
	ldp x2, x0, [x1]
	blr x2
	intc_end
1:
	.endm

	/*
	 * With guard pages: what comes before the look at the stack pointer (sched_preempt()) needs
	 * less than that. A hit here is the thread's own, nothing being half done; a later one is
	 * not to be told from others.
	 */
	.macro check_room_for_preemption
#ifdef CONFIG_STACK_GUARD_PAGES
	.globl aarch64_preempt_check, aarch64_preempt_checked
aarch64_preempt_check:
	stur xzr, [sp, #-256]
aarch64_preempt_checked:
#endif
	.endm

	/* Four vectors: exception, interrupt, fast interrupt, system error. */
	.macro vectors exception interrupt
	.balign 128
	b \exception
	.balign 128
	b \interrupt
	.balign 128
	b \exception
	.balign 128
	b \exception
	.endm

	.section .text.vectors, "ax"
	.balign 2048
	.globl aarch64_vectors
aarch64_vectors:
	vectors exception, exception /* by SP_EL0: nobody runs so */
	vectors exception, interrupt
#ifdef CONFIG_USERSPACE
	.balign 128 /* the first out of EL0 is code, in between (user.S) */
	.section .text.vectors.rest, "ax"
	.balign 128
	b interrupt
	.balign 128
	b exception
	.balign 128
	b exception
#else
	vectors exception, exception /* out of EL0: nobody is there */
#endif
	vectors exception, exception

	.balign 16
	.type interrupt, @function
	.globl aarch64_interrupt
	.globl aarch64_interrupt_saved
interrupt:
aarch64_interrupt:
	save_caller_saved
	save_return
aarch64_interrupt_saved:
	forget_user_mode
	address x1, k_cpu
	ldr x0, [x1, #CPU_IN_ISR]
	mov x2, sp
	cbnz x0, nested
	str x2, [x1, #CPU_IN_ISR] /* says that a handler runs, and where to go back to */
	address x0, aarch64_isr_stack_top
	mov sp, x0
	fpu_enter_handler
	trace_isr_enter_hook
	call_handler
leave:
	address x1, k_cpu
	ldr x0, [x1, #CPU_IN_ISR]
	ldr w2, [x1, #CPU_SWITCH]
	str xzr, [x1, #CPU_IN_ISR]
	mov sp, x0
	cbnz w2, switch
	trace_thread_in_hook
resume:
	fpu_leave_handler
	branch_if_to_user aarch64_resume_user
	.globl aarch64_resume
aarch64_resume:
	restore_caller_saved_and_return

	/*
	 * sched_preempt() for the usual case: the interrupted thread is queued, and what
	 * was made ready outranks it. Everything else is the C function's.
	 */
switch: /* x1: k_cpu */
	check_room_for_preemption
	save_trap_state
	str wzr, [x1, #CPU_SWITCH]
	ldr x0, [x1, #CPU_CURRENT]
#ifndef CONFIG_SWITCH_IN_C
	ldr x2, [x1, #CPU_BEST]
	ldrsb w3, [x0, #THREAD_THRESHOLD]
	ldrsb w4, [x2, #THREAD_PRIO]
	ldrb w5, [x0, #THREAD_STATE]
	cmp w4, w3
	b.ge resume_preempted
#ifdef CONFIG_TIMESLICING
	ldr w3, [x1, #CPU_SLICED]
	cbnz w3, decide
#endif
	cmp w5, #0x80 /* K_THREAD_QUEUED, and nothing else */
	b.ne decide
	str x2, [x1, #CPU_CURRENT]
	mov x1, x2
	b do_switch
decide:
#endif
	str x0, [sp, #16]
	bl sched_preempt
	mov x1, x0
	ldr x0, [sp, #16]
	cmp x0, x1
	b.eq resume_preempted
do_switch:
	mov w2, #PSTATE_I
	bl arch_switch
	.globl resume_preempted
resume_preempted:
	trace_thread_in_hook
	restore_trap_state
	b resume

nested:
	fpu_branch_if_on nested_fpu
	call_handler
	b aarch64_resume

#ifdef CONFIG_FPU
nested_fpu:
	sub sp, sp, #FPU_SIZE
	mov x0, sp
	fpu_save x0, x1
	call_handler
	mov x0, sp
	fpu_load x0, x1
	add sp, sp, #FPU_SIZE
	b aarch64_resume

	/*
	 * They have trapped. The stack is the thread's or the handlers', or that of system calls
	 * (user.S).
	 */
first_use:
	mrs x0, AARCH64_OWN(tpidr)
	.globl aarch64_fpu_first_use
aarch64_fpu_first_use:
	save_caller_saved
	save_return
	forget_user_mode
	bl aarch64_fpu_used
	b aarch64_resume
#endif

	/*
	 * All registers into a place of their own, since sp may be what is wrong. If the
	 * report returns, its thread is dead: what the switch saves of it goes nowhere.
	 */
	.globl aarch64_exception
exception:
aarch64_exception:
	msr AARCH64_OWN(tpidr), x0
	fpu_branch_if_first_use first_use
	address x0, aarch64_fault_frame
	stp x2, x3, [x0, #8 * 2]
	stp x4, x5, [x0, #8 * 4]
	stp x6, x7, [x0, #8 * 6]
	stp x8, x9, [x0, #8 * 8]
	stp x10, x11, [x0, #8 * 10]
	stp x12, x13, [x0, #8 * 12]
	stp x14, x15, [x0, #8 * 14]
	stp x16, x17, [x0, #8 * 16]
	stp x18, x19, [x0, #8 * 18]
	stp x20, x21, [x0, #8 * 20]
	stp x22, x23, [x0, #8 * 22]
	stp x24, x25, [x0, #8 * 24]
	stp x26, x27, [x0, #8 * 26]
	stp x28, x29, [x0, #8 * 28]
	mov x2, sp
	stp x30, x2, [x0, #8 * 30]
	mrs x2, AARCH64_OWN(tpidr)
	stp x2, x1, [x0]
	mrs x1, AARCH64_OWN(elr)
	str x1, [x0, #8 * FAULT_PC]
	forget_user_mode
	branch_if_from_user fault
	try_again
	ldr x1, [x0, #8 * FAULT_PC]

	/* Where nobody copies so, copy.S is not linked, and no pc lies in it. */
	.weak arch_copy_guarded, aarch64_copy_end, aarch64_copy_faulted
	/* A guarded copy's (copy.S), and of the side that it calls untrusted, w3? */
	address x2, arch_copy_guarded
	cmp x1, x2
	b.lo fault
	address x2, aarch64_copy_end
	cmp x1, x2
	b.hs fault
	mrs x1, AARCH64_OWN(esr)
	lsr x2, x1, #ESR_EC_SHIFT
	cmp x2, #EC_DATA_ABORT
	b.ne fault
	ubfx x1, x1, #ESR_WNR_SHIFT, #1
	add x1, x1, #COPY_FROM
	tst x1, x3
	b.eq fault
	address x1, aarch64_copy_faulted
	msr AARCH64_OWN(elr), x1
	eret /* sp and all that a callee keeps are as they were */
	.globl aarch64_fault_of_frame
aarch64_fault_of_frame: /* from ipc.S, too */
fault:
	address x1, k_cpu
	ldr x0, [x1, #CPU_IN_ISR]
	cmp x0, #0
	cset w0, ne
	address x2, aarch64_isr_stack_top
	mov sp, x2
	str x2, [x1, #CPU_IN_ISR]
	bl aarch64_fault
	b leave
