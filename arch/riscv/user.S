/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls, and the way to user mode.
 *
 * A call is an ecall with its number in a7 and its arguments where a function has them, so the
 * verifier is called with the registers as they are. The user's stub behaves as a function does:
 * what a callee may change need not be saved, and is cleared on the way back, but for the result.
 * The return goes where ra says, so mepc is neither read nor kept.
 */
#include <board.h>
#include <offsets.h>
#include "frames.h"
#include "frame.inc"
#include "user.inc"
#include <arch_indexed.inc>

	.macro in_kernel_mode_jump to
	bnez tp, 1f
	tail \to
1:
	.endm
	.macro system_call number
	li a7, \number
	ecall
	.endm
	.macro user_jump to
	tail \to
	.endm
#include "kernel/base/stubs.inc"

	/* The frame of a call: where interrupts open, it may be switched from. Changes t1. */
	.macro frame_call
	csrrw t1, mscratch, zero
	addi sp, sp, -USER_FRAME_SIZE
	REG_S ra, USER_FRAME_RA(sp)
	REG_S t1, USER_FRAME_SP(sp)
	.endm

	.macro open_call
	frame_call
	csrsi mstatus, 8
	.endm

	.macro clear_and_return
	.irp register, a1, a2, a3, a4, a5, a6, a7, t0, t1, t2, t3, t4, t5, t6
	li \register, 0
	.endr
	li tp, 1
	mret
	.endm

	/*
	 * Every exception comes here. tp is what tests for a call: 0 where it is one, as the kernel
	 * has it. What user mode left in it no report shows.
	 */
	.section .text.vectors, "ax"
	.balign 16
	.globl riscv_user_exception
	.type riscv_user_exception, @function
riscv_user_exception:
	csrrw sp, mscratch, sp
	beqz sp, .Lmachine
	/* sp: the end of the stack of system calls; mscratch: the user's. */
	csrr tp, mcause
	addi tp, tp, -8
	restore_gp
	bnez tp, .Lfault
#ifdef CONFIG_IPC
	bltz a7, riscv_ipc
#endif
	li a4, NUM_FAST
	bgeu a7, a4, arch_user_call_verified
	/*
	 * A fast path (fast.c) changes a0 to a5 alone, not ra either. Masked to its end, so
	 * that mscratch may go on holding the user's sp, and mstatus and whose regions are loaded
	 * stay as they are.
	 */
	slli a5, a7, REGSHIFT
	load_indexed a4, fast_table, a5
	jr a4

	/*
	 * Each of them ends at one of these: done, a0 the result; or all is verified, or nothing is
	 * done yet, a7 the number.
	 */
	.globl arch_user_call_done, arch_user_call_checked, arch_user_call_verified
arch_user_call_done:
	csrw mepc, ra
	csrrw sp, mscratch, sp
	.irp register, a1, a2, a3, a4, a5
	li \register, 0
	.endr
	li tp, 1
	mret
	/* With all that a function may change: clears it, too. */
	.globl arch_user_call_cleared
arch_user_call_cleared:
	csrw mepc, ra
	csrrw sp, mscratch, sp
	clear_and_return
	.balign 4 /* what is jumped to below begins at words, for the most part: a fetch less */
	/*
	 * By the function a4, which opens interrupts and may switch; most often another user thread
	 * was there when it comes back. Or by one which does neither: then the regions and mstatus
	 * are as they were.
	 */
	.globl arch_user_call_masked, arch_user_call_masked_throughout
arch_user_call_masked:
	frame_call
	jalr a4
	mask_and_load_regions .Lloaded, .Lload_domain
	leave_call
	clear_and_return
	/*
	 * Or by a switch from the thread a0 to a1, both settled, and nothing else: masked from the
	 * trap to the mret. Or the word that was waited for is stored behind it, masked, where a2
	 * says.
	 */
	.globl arch_user_call_switch, arch_user_call_switch_and_store
	.balign 4
arch_user_call_switch_and_store:
	frame_call
	REG_S a2, USER_FRAME_WORD(sp)
	switch_in_call
	REG_L a1, USER_FRAME_WORD(sp)
	call store_word_waited_for
	j .Lswitched
	.balign 4
arch_user_call_switch:
	frame_call
	switch_in_call
.Lswitched:
	REG_L t2, k_cpu + CPU_CURRENT
	REG_L ra, USER_FRAME_RA(sp)
	branch_if_loaded .Lloaded
	load_regions_from t4
	csrw mepc, ra
	bne t4, t5, .Lload_domain
	leave_stack
	clear_and_return
arch_user_call_masked_throughout:
	frame_call
	jalr a4
	REG_L ra, USER_FRAME_RA(sp)
	leave_call
	clear_and_return
arch_user_call_checked:
	slli a5, a7, REGSHIFT
	load_indexed a4, checked_table, a5
	open_call
	j .Lcall
arch_user_call_verified:
	li a4, NUM_SYSCALLS
	bgeu a7, a4, .Lno_such_call
	slli a5, a7, REGSHIFT
.Lknown_call:
	load_indexed a4, syscall_table, a5
	open_call
.Lcall:
	jalr a4
	mask_and_load_regions .Lloaded, .Lload_domain
.Lloaded:
	leave_call
	clear_and_return
.Lload_domain:
	load_domain t4, t2, t3
	j .Lloaded
	.globl riscv_no_such_call
riscv_no_such_call: /* from ipc.S */
	li a4, NUM_SYSCALLS
.Lno_such_call:
	slli a5, a4, REGSHIFT /* the entry behind the last */
	j .Lknown_call
.Lfault:
#ifdef CONFIG_IPC
	tail riscv_user_fault
#else
	/* As if it had come out of machine mode; its thread ends, so its mscratch is not needed. */
	li tp, 1
#endif
.Lmachine:
	csrrw sp, mscratch, sp
	j riscv_exception
	.size riscv_user_exception, . - riscv_user_exception

	/*
	 * riscv_domain_load(domain); and riscv_load_domain, on a way to user mode of a thread of
	 * the domain t4, where another one is loaded: back by t0, changes t2 and t3.
	 */
	.section .text.riscv_domain_load, "ax"
	.globl riscv_domain_load, riscv_load_domain
	.type riscv_domain_load, @function
	.type riscv_load_domain, @function
riscv_domain_load:
	mv t4, a0
	mv t0, ra
riscv_load_domain:
	load_domain t4, t2, t3
	jr t0
	.size riscv_domain_load, riscv_load_domain - riscv_domain_load
	.size riscv_load_domain, . - riscv_load_domain

	/* Back out of an interrupt, to user mode: trap.S, resume. */
	.section .text.riscv_resume_user, "ax"
	.globl riscv_resume_user
	.type riscv_resume_user, @function
riscv_resume_user:
	REG_L t2, k_cpu + CPU_CURRENT
	REG_L t4, THREAD_USER_START(t2)
	csrr t3, PMP_STACK_START
	bne t3, t4, 2f
1:	restore_caller_saved
	addi sp, sp, IRQ_FRAME_SIZE + USER_FRAME_SIZE
	csrw mscratch, sp
	REG_L sp, USER_FRAME_SP - USER_FRAME_SIZE(sp)
	li tp, 1
	mret
2:	load_regions_from t4
	beq t4, t5, 1b
	jal t0, riscv_load_domain
	j 1b
	.size riscv_resume_user, . - riscv_resume_user

	.section .text.arch_user_enter, "ax"
	.globl arch_user_enter
	.type arch_user_enter, @function
arch_user_enter: /* a0 entry, p1, p2, p3; a1 end of its stack; a2 of that of its calls */
	li t0, MSTATUS_TO_USER
	csrw mstatus, t0
	mv s0, a0
	mv s1, a1
	mv s2, a2
	REG_L t2, k_cpu + CPU_CURRENT
	load_regions
	beq t4, t5, 1f
	jal t0, riscv_load_domain
1:	csrw mscratch, s2
	mv sp, s1
	REG_L t0, 0(s0)
	csrw mepc, t0
	REG_L a0, REGBYTES * 1(s0)
	REG_L a1, REGBYTES * 2(s0)
	REG_L a2, REGBYTES * 3(s0)
	la ra, riscv_user_return
	.irp register, a3, a4, a5, a6, a7, t0, t1, t2, t3, t4, t5, t6
	li \register, 0
	.endr
	.irp register, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
	li \register, 0
	.endr
	li tp, 1
	mret
riscv_user_return: /* in user mode: the thread's entry has returned */
	call __wrap_k_current_get
	call __wrap_k_thread_abort
	j riscv_user_return
	.size arch_user_enter, . - arch_user_enter

	.section .text.arch_user_continue, "ax"
	.globl arch_user_continue
	.type arch_user_continue, @function
arch_user_continue: /* a0 place, a1 begin */
	mv sp, a0
	jr a1
	.size arch_user_continue, . - arch_user_continue
