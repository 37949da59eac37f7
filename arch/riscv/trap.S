/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traps. Interrupts save the caller-saved registers on the interrupted thread's stack
 * and run their handlers, masked, on one stack of their own.
 *
 * mepc and mstatus are not saved: nothing overwrites them before the mret, unless
 * threads are switched, and then the switching path saves them, or a handler lets other
 * interrupts in, and then arch_isr_window() does. That keeps four CSR accesses out of
 * every plain interrupt. A handler that is interrupted takes the path `nested`: it is on
 * the handlers' stack already, and no switch follows it.
 */
#include <board.h>
#include <offsets.h>
#include "frames.h"
#include "frame.inc"
#include "trace.inc"
#include "user.inc"

	/*
	 * Every trap begins by choosing its stack (user.inc). One out of machine mode stays on
	 * the stack it finds: nothing to do, and nothing to test, while threads have no other
	 * mode. One out of user mode cannot trust sp: it is exchanged for the end of the thread's
	 * kernel stack, which mscratch holds while, and only while, user mode runs. In machine
	 * mode mscratch is 0: boot.S begins with that, and `riscv_exception`, which borrows it,
	 * puts it back. The rest of this file need not know where a trap came from, up to the two
	 * mrets: at `resume` it is asked; that of a guarded copy returns to the kernel.
	 */
	.macro restore_caller_saved_and_return
	restore_caller_saved
	addi sp, sp, IRQ_FRAME_SIZE
	mret
	.endm

	/* Call irq_table[mcause].handler(arg); the shift drops mcause's interrupt bit. */
	.macro call_handler
	csrr t0, mcause
	slli t0, t0, REGSHIFT + 1
	add t0, t0, gp
	.option push
	.option norelax /* the linker would take a distance this small for an address */
	REG_L t1, %lo(riscv_irq_table_from_gp)(t0)
	REG_L a0, %lo(riscv_irq_table_from_gp + REGBYTES)(t0)
	.option pop
	jalr t1
	.endm

	/*
	 * Where line \n's vector leads: to `interrupt`, unless IRQ_DIRECT_CONNECT() says
	 * otherwise by defining the symbol.
	 */
	.altmacro
	.macro vector n
	.weak riscv_vector_\n
	.set riscv_vector_\n, interrupt
	j riscv_vector_\n
	.endm

	/*
	 * With the guard: what comes before the look at the stack pointer (sched_preempt()) needs
	 * up to 112 bytes, on RV64 twice as much. A hit here is the thread's own, nothing being
	 * half done; a later one is not to be told from others. The stores are no further from each
	 * other than the least guard is long.
	 */
	.macro check_room_for_preemption
#ifdef CONFIG_STACK_GUARD_HW
	.globl riscv_preempt_check, riscv_preempt_checked
riscv_preempt_check:
	.set below, 28
	.rept REGBYTES
	sw zero, -below(sp)
	.set below, below + 28
	.endr
riscv_preempt_checked:
#endif
	.endm

	/* Near gp: a word loads sooner than its address is made of two instructions. */
	.section .sdata.riscv_isr_stack, "aw"
	.balign REGBYTES
riscv_isr_stack:
	REG_DATA riscv_isr_stack_top

	.section .text.vectors, "ax"
	.balign 256
	.option push
	.option norvc
	.globl riscv_vectors
riscv_vectors:
#ifdef CONFIG_RISCV_ONE_VECTOR
	csrw mscratch, t0 /* no user mode: nobody else has anything there */
	csrr t0, mcause
	bltz t0, 1f
	csrrw t0, mscratch, zero
	j EXCEPTION
1:	csrrw t0, mscratch, zero
	j interrupt
#else
	j EXCEPTION
	.set line, 1
	.rept 31
	vector %line
	.set line, line + 1
	.endr
#endif
	.noaltmacro
	.option pop

	.balign 16
	.type interrupt, @function
	.globl riscv_interrupt
	.globl riscv_interrupt_saved
interrupt:
riscv_interrupt:
	choose_stack
	save_caller_saved asks=1
riscv_interrupt_saved:
	bnez t0, nested
	REG_S sp, k_cpu + CPU_IN_ISR, t0 /* says that a handler runs, and where to go back to */
	REG_L sp, riscv_isr_stack
	trace_isr_enter_hook
	call_handler
leave:
	lw t1, k_cpu + CPU_SWITCH
	REG_L sp, k_cpu + CPU_IN_ISR
	REG_S zero, k_cpu + CPU_IN_ISR, t0
	bnez t1, switch
	trace_thread_in_hook
resume:
	branch_if_from_user riscv_resume_user
	restore_caller_saved_and_return

	/*
	 * sched_preempt() for the usual case: the interrupted thread is queued, and what
	 * was made ready outranks it. Everything else is the C function's.
	 */
switch:
	check_room_for_preemption
	csrr t0, mepc
	csrr t1, mstatus
	addi sp, sp, -TRAP_STATE_SIZE
	REG_S t0, 0(sp)
	REG_S t1, REGBYTES * 1(sp)
	la t0, k_cpu
	sw zero, CPU_SWITCH(t0)
	REG_L a0, CPU_CURRENT(t0)
#ifndef CONFIG_SWITCH_IN_C
	REG_L a1, CPU_BEST(t0)
	lb t1, THREAD_THRESHOLD(a0)
	lb t2, THREAD_PRIO(a1)
	lb t3, THREAD_STATE(a0)
	bge t2, t1, not_due
#ifdef CONFIG_TIMESLICING
	lw t2, CPU_SLICED(t0)
	bnez t2, decide
#endif
	li t1, -128 /* K_THREAD_QUEUED, and nothing else, as a signed byte */
	REG_S a1, CPU_CURRENT(t0)
	beq t3, t1, do_switch
	REG_S a0, CPU_CURRENT(t0)
decide:
#endif
	REG_S a0, REGBYTES * 2(sp)
	call sched_preempt
	mv a1, a0
	REG_L a0, REGBYTES * 2(sp)
	beq a0, a1, not_due
do_switch:
	li a2, 0
	call arch_switch
not_due:
	trace_thread_in_hook
	REG_L t0, 0(sp)
	REG_L t1, REGBYTES * 1(sp)
	csrw mepc, t0
	csrw mstatus, t1
	addi sp, sp, TRAP_STATE_SIZE
	j resume

nested:
	call_handler
	j resume

	/*
	 * All registers into a place of their own, since sp may be what is wrong. If the
	 * report returns, its thread is dead: what the switch saves of it goes nowhere.
	 */
	.globl riscv_exception
riscv_exception:
	csrw mscratch, t0
	la t0, riscv_fault_frame
	REG_S ra, REGBYTES * 1(t0)
	REG_S sp, REGBYTES * 2(t0)
	REG_S gp, REGBYTES * 3(t0)
	REG_S tp, REGBYTES * 4(t0)
	REG_S t1, REGBYTES * 6(t0)
	REG_S t2, REGBYTES * 7(t0)
	REG_S s0, REGBYTES * 8(t0)
	REG_S s1, REGBYTES * 9(t0)
	REG_S a0, REGBYTES * 10(t0)
	REG_S a1, REGBYTES * 11(t0)
	REG_S a2, REGBYTES * 12(t0)
	REG_S a3, REGBYTES * 13(t0)
	REG_S a4, REGBYTES * 14(t0)
	REG_S a5, REGBYTES * 15(t0)
	REG_S a6, REGBYTES * 16(t0)
	REG_S a7, REGBYTES * 17(t0)
	REG_S s2, REGBYTES * 18(t0)
	REG_S s3, REGBYTES * 19(t0)
	REG_S s4, REGBYTES * 20(t0)
	REG_S s5, REGBYTES * 21(t0)
	REG_S s6, REGBYTES * 22(t0)
	REG_S s7, REGBYTES * 23(t0)
	REG_S s8, REGBYTES * 24(t0)
	REG_S s9, REGBYTES * 25(t0)
	REG_S s10, REGBYTES * 26(t0)
	REG_S s11, REGBYTES * 27(t0)
	REG_S t3, REGBYTES * 28(t0)
	REG_S t4, REGBYTES * 29(t0)
	REG_S t5, REGBYTES * 30(t0)
	REG_S t6, REGBYTES * 31(t0)
	csrrw t1, mscratch, zero
	REG_S t1, REGBYTES * 5(t0)
	csrr t1, mepc
	REG_S t1, 0(t0)
	forget_user_mode

	/* Where nobody copies so, copy.S is not linked, and no pc lies in it. */
	.weak arch_copy_guarded, riscv_copy_end, riscv_copy_faulted
	/* A guarded copy's (copy.S), and of the side that it calls untrusted, a3? */
	branch_if_from_user fault
	la t2, arch_copy_guarded
	bltu t1, t2, fault
	la t2, riscv_copy_end
	bgeu t1, t2, fault
	csrr t1, mcause
	srli t1, t1, 1 /* 4 and 5: loads, misaligned or refused; 6 and 7: stores */
	addi t1, t1, -2
	li t2, 2
	bgeu t1, t2, fault
	addi t1, t1, COPY_FROM
	and t1, t1, a3
	beqz t1, fault
	la t1, riscv_copy_faulted
	csrw mepc, t1
	mret /* sp and all that a callee keeps are as they were */
	.globl riscv_fault_of_frame
riscv_fault_of_frame: /* from ipc.S, too */
fault:
	la t2, k_cpu
	REG_L a0, CPU_IN_ISR(t2)
	snez a0, a0
	la sp, riscv_isr_stack_top
	REG_S sp, CPU_IN_ISR(t2)
	call riscv_fault
	j leave
