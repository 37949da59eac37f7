/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The context switch: a function call that returns in another thread. Only what a
 * call must preserve is saved. A thread that was interrupted comes here too, called
 * by the end of its interrupt (trap.S), which has saved the rest: so there is one
 * kind of frame, and no test for which.
 */
#include <board.h>
#include <offsets.h>
#include "frame.inc"
#include "guard.inc"
#include "trace.inc"

	/*
	 * The interrupt bit, or nothing. With user threads it may be all that mstatus holds on the
	 * way to user mode (user.inc: KEY_OF_CALL); else MPP and MPIE mean nothing to a thread in
	 * machine mode, and its next trap sets them.
	 */
	.macro set_key key
#if defined(CONFIG_USERSPACE) && __riscv_xlen == 32
	csrw mstatus, \key
#else
	csrs mstatus, \key
#endif
	.endm

	.section .text.arch_switch, "ax"
	.balign 16
	.globl arch_switch
	.type arch_switch, @function
arch_switch: /* a0 from, a1 to, a2 key */
	load_guard_end a0
	addi sp, sp, -FRAME_SIZE
	check_guard .Lno_room
	save_callee_saved a2
	REG_S sp, THREAD_SP(a0)
	.globl riscv_switch_saved /* a fault before is `from`'s, one behind is `to`'s: fault.c */
riscv_switch_saved:
.Lrestore:
	load_guard_end a1
	REG_L sp, THREAD_SP(a1)
	REG_L a0, THREAD_WAKE_VALUE(a1)
#ifdef CONFIG_THREAD_LOCAL_STORAGE
	REG_L tp, THREAD_TLS(a1) /* which nobody writes: not saved */
#endif
	move_guard
	restore_callee_saved a2
	addi sp, sp, FRAME_SIZE
	trace_switched_hook
	set_key a2
	ret
#ifdef CONFIG_STACK_GUARD_HW
.Lno_room:
	lb t0, THREAD_STATE(a0)
	andi t0, t0, STATE_DEAD
	bnez t0, .Lrestore /* it has ended anyway, and never comes back */
	addi sp, sp, FRAME_SIZE
	.globl riscv_switch_no_room
riscv_switch_no_room: /* fault.h */
	ebreak
#endif
	.size arch_switch, . - arch_switch

	.globl arch_start
	.type arch_start, @function
arch_start: /* a0 first */
	mv a1, a0
	j .Lrestore
	.size arch_start, . - arch_start

	/* Where a new thread's first frame returns to; see arch_stack_init(). */
	.globl riscv_thread_start
	.type riscv_thread_start, @function
riscv_thread_start:
	mv a0, s1
	mv a1, s2
	mv a2, s3
	la ra, thread_exit
	jr s0
	.size riscv_thread_start, . - riscv_thread_start
