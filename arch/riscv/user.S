/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls, and the way to user mode.
 *
 * A call is an ecall with its number in a7 and its arguments where a function has them, so the verifier
 * is called with the registers as they are. The user's stub behaves as a function does: what a
 * callee may change need not be saved, and is cleared on the way back, but for the result. The
 * return goes where ra says, so mepc is neither read nor kept.
 */
#include "offsets.h"
#include "user.inc"
#include <arch_indexed.inc>

	/* What the API's functions are reached by: see kernel/protect/syscalls.h. */
	.macro stub name, number
	.section .text.__wrap_\name, "ax"
	.balign 4
	.globl __wrap_\name
	.type __wrap_\name, @function
__wrap_\name:
	bnez tp, 1f
	tail __real_\name
1:	li a7, \number
	ecall
	.size __wrap_\name, . - __wrap_\name
	.endm

	.macro stub_via name
	.section .text.__wrap_\name, "ax"
	.balign 4
	.globl __wrap_\name
	.type __wrap_\name, @function
__wrap_\name:
	bnez tp, 1f
	tail __real_\name
1:	tail user_\name
	.size __wrap_\name, . - __wrap_\name
	.endm

	.set number, 0
#define SYSCALL_QUICK(name) SYSCALL(name) .set NUM_QUICK, number ;
#define SYSCALL(name)       stub name, %(number) ; .set number, number + 1 ;
#define SYSCALL_VIA(name)   stub_via name ;
	.altmacro
#include "kernel/protect/syscalls.h"
	.noaltmacro
	.set NUM_SYSCALLS, number

	/* The frame of a call, and interrupts: from here on it may be switched from. Changes t1. */
	.macro open_call
	csrrw t1, mscratch, zero
	addi sp, sp, -USER_FRAME_SIZE
	REG_S ra, USER_FRAME_RA(sp)
	REG_S t1, USER_FRAME_SP(sp)
	csrsi mstatus, 8
	.endm

	/*
	 * Every exception comes here. tp is what tests for a call: 0 where it is one, as the kernel has it.
	 * What user mode left in it no report shows.
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
	li a4, NUM_QUICK
	bgeu a7, a4, arch_user_call_verified
	/*
	 * A quick one (verify_quick.c) changes a0 to a5 alone, not ra either. Masked to its end, so that
	 * mscratch may go on holding the user's sp, and mstatus and whose regions are loaded stay as they are.
	 */
	slli a5, a7, REGSHIFT
	load_indexed a4, quick_table, a5
	jr a4

	/* Each of them ends at one of these: done, a0 the result; or all is verified, or nothing is done yet, a7 the number. */
	.globl arch_user_call_done, arch_user_call_checked, arch_user_call_verified
arch_user_call_done:
	csrw mepc, ra
	csrrw sp, mscratch, sp
	.irp register, a1, a2, a3, a4, a5
	li \register, 0
	.endr
	li tp, 1
	mret
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
	/* One write masks interrupts, and says user mode whatever a switch has left in MPP. */
	li t0, MSTATUS_TO_USER
	csrw mstatus, t0
	REG_L t2, k_cpu + CPU_CURRENT
	REG_L t3, riscv_user_loaded
	REG_L ra, USER_FRAME_RA(sp)
	beq t2, t3, .Lloaded
	load_regions
	bne t4, t5, .Lload_domain
.Lloaded:
	REG_L t1, USER_FRAME_SP(sp)
	csrw mepc, ra
	addi sp, sp, USER_FRAME_SIZE
	csrw mscratch, sp
	mv sp, t1
	.irp register, a1, a2, a3, a4, a5, a6, a7, t0, t1, t2, t3, t4, t5, t6
	li \register, 0
	.endr
	li tp, 1
	mret
.Lload_domain:
	REG_S a0, 0(sp)
	mv a0, t4
	call riscv_domain_load
	REG_L a0, 0(sp)
	REG_L ra, USER_FRAME_RA(sp)
	j .Lloaded
.Lno_such_call:
#ifdef CONFIG_IPC
	addi a5, a7, -IPC_CALL
	sltiu a5, a5, IPC_NUMBERS
	bnez a5, riscv_ipc
#endif
	slli a5, a4, REGSHIFT /* the entry behind the last */
	j .Lknown_call
.Lfault:
	/* As if it had come out of machine mode; its thread ends, so its mscratch is not needed. */
	li tp, 1
.Lmachine:
	csrrw sp, mscratch, sp
	j riscv_exception
	.size riscv_user_exception, . - riscv_user_exception

	/* Back out of an interrupt, to user mode: trap.S, resume. */
	.section .text.riscv_resume_user, "ax"
	.globl riscv_resume_user
	.type riscv_resume_user, @function
riscv_resume_user:
	REG_L t2, k_cpu + CPU_CURRENT
	REG_L t3, riscv_user_loaded
	bne t2, t3, 2f
1:	REG_L ra, 0(sp)
	REG_L t0, REGBYTES * 1(sp)
	REG_L t1, REGBYTES * 2(sp)
	REG_L t2, REGBYTES * 3(sp)
	REG_L a0, REGBYTES * 4(sp)
	REG_L a1, REGBYTES * 5(sp)
	REG_L a2, REGBYTES * 6(sp)
	REG_L a3, REGBYTES * 7(sp)
	REG_L a4, REGBYTES * 8(sp)
	REG_L a5, REGBYTES * 9(sp)
	REG_L a6, REGBYTES * 10(sp)
	REG_L a7, REGBYTES * 11(sp)
	REG_L t3, REGBYTES * 12(sp)
	REG_L t4, REGBYTES * 13(sp)
	REG_L t5, REGBYTES * 14(sp)
	REG_L t6, REGBYTES * 15(sp)
	addi sp, sp, IRQ_FRAME_SIZE + USER_FRAME_SIZE
	csrw mscratch, sp
	REG_L sp, USER_FRAME_SP - USER_FRAME_SIZE(sp)
	li tp, 1
	mret
2:	load_regions
	beq t4, t5, 1b
	mv a0, t4
	call riscv_domain_load
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
	mv a0, t4
	call riscv_domain_load
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
