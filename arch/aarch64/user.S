/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls, and the way to user mode.
 *
 * A call is an svc with its number in x8 and its arguments where a function has them, so the
 * verifier is called with the registers as they are. The user's stub behaves as a function does:
 * what a callee may change need not be saved, and is cleared on the way back, but for the result.
 * One that may be switched from returns where x30 says, so its ELR is neither read nor kept.
 */
#include <arch_level.h>
#include <board.h>
#include "floating_point.inc"
#include <offsets.h>
#include "frames.h"
#include "user.inc"

	.macro in_kernel_mode_jump to
	cbnz x18, 1f
	b \to
1:
	.endm
	.macro system_call number
	mov x8, #\number
	svc #0
	ret
	.endm
	.macro jump_by_mode kernel, user
	cbnz x18, \user
	b \kernel
	.endm
#define STUB_JUMPS_BY_MODE
#include "kernel/base/stubs.inc"

	/*
	 * Every exception out of user mode comes here. x18 is what tests for a call: 0 where it is
	 * one, as the kernel has it. What user mode left in it no report shows.
	 */
#ifdef CONFIG_IPC
#define NO_CALL aarch64_user_fault
#else
#define NO_CALL aarch64_exception
#endif
	.section .text.vectors.user, "ax" /* the vector itself: trap.S */
	.balign 128
	.globl aarch64_user_exception
	.type aarch64_user_exception, @function
aarch64_user_exception:
	mrs x18, AARCH64_OWN(esr)
	ubfx x18, x18, #ESR_EC_SHIFT, #6
	sub x18, x18, #EC_SVC
#ifdef CONFIG_FPU
	cbnz x18, .Lno_call
#else
	cbnz x18, NO_CALL
#endif
#ifdef CONFIG_IPC
	tbnz x8, #63, aarch64_ipc
#endif
	cmp x8, #NUM_FAST
	b.hs arch_user_call_verified
	/*
	 * A fast path (fast.c) changes x0 to x7 alone, not x30 either. Masked to its end.
	 */
	address x7, fast_table
	ldr x7, [x7, x8, lsl #3]
	br x7
	.size aarch64_user_exception, . - aarch64_user_exception
	.org aarch64_user_exception + 128

	.section .text.aarch64_user_call, "ax"
	.balign 64
	.type aarch64_user_call, @function
aarch64_user_call:
	/*
	 * Each of them ends at one of these: done, x0 the result; or all is verified, or nothing is
	 * done yet, x8 the number.
	 */
	.globl arch_user_call_done, arch_user_call_checked, arch_user_call_verified
arch_user_call_done:
	.irp register, x1, x2, x3, x4, x5, x6, x7
	mov \register, #0
	.endr
	mov x18, #1
	eret
arch_user_call_checked:
	address x9, checked_table
	b .Lcall
arch_user_call_verified:
	address x9, syscall_table
	cmp x8, #NUM_SYSCALLS
	b.hs .Lno_such_call
.Lcall:
	ldr x9, [x9, x8, lsl #3]
	mrs x10, sp_el0
	stp x30, x10, [sp, #-USER_FRAME_SIZE]!
	msr daifclr, #15 /* from here on it may be switched from */
	blr x9
	msr daifset, #15
	fpu_forget_call
	load_user
	ldp x30, x10, [sp], #USER_FRAME_SIZE
	msr AARCH64_OWN(elr), x30
	msr sp_el0, x10
	msr AARCH64_OWN(spsr), xzr /* EL0, by SP_EL0, with all open */
	.irp register, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, x17
	mov \register, #0
	.endr
	mov x18, #1
	eret
	.globl aarch64_no_such_call
aarch64_no_such_call: /* from ipc.S */
	address x9, syscall_table
.Lno_such_call:
	mov x8, #NUM_SYSCALLS /* the entry behind the last */
	b .Lcall
	.size aarch64_user_call, . - aarch64_user_call
#ifdef CONFIG_FPU
.Lno_call:
	cmn x18, #EC_SVC - EC_FP
	mov x18, #1 /* as it is in user mode */
	b.eq aarch64_fpu_first_use
	b NO_CALL
#endif

	/*
	 * On the way to user mode of x9, a thread whose stack is not open in its domain's tables:
	 * behind load_thread, with x10 to x13. Keeps x0 to x8; aarch64_open_by_c, of x0, keeps x0
	 * to x17 but for x8 and x16.
	 */
	.section .text.aarch64_open_stack, "ax"
	.balign 16
	.globl aarch64_open_stack
	.type aarch64_open_stack, @function
aarch64_open_stack:
	open_stack x9, x10, x11, x12, x13, x14, x15, x16, 1f
	ret
1:	stp x0, x30, [sp, #-32]!
	str x8, [sp, #16]
	mov x0, x9
	bl aarch64_open_by_c
	ldr x8, [sp, #16]
	ldp x0, x30, [sp], #32
	ret
	.size aarch64_open_stack, . - aarch64_open_stack

	.globl aarch64_open_by_c
	.type aarch64_open_by_c, @function
aarch64_open_by_c:
	stp x0, x1, [sp, #-144]!
	stp x2, x3, [sp, #16]
	stp x4, x5, [sp, #32]
	stp x6, x7, [sp, #48]
	stp x9, x10, [sp, #64]
	stp x11, x12, [sp, #80]
	stp x13, x14, [sp, #96]
	stp x15, x17, [sp, #112]
	str x30, [sp, #128]
	bl aarch64_user_load
	ldr x30, [sp, #128]
	ldp x15, x17, [sp, #112]
	ldp x13, x14, [sp, #96]
	ldp x11, x12, [sp, #80]
	ldp x9, x10, [sp, #64]
	ldp x6, x7, [sp, #48]
	ldp x4, x5, [sp, #32]
	ldp x2, x3, [sp, #16]
	ldp x0, x1, [sp], #144
	ret
	.size aarch64_open_by_c, . - aarch64_open_by_c

	/* Back out of an interrupt, to user mode: trap.S, resume. What it saved is on the stack. */
	.section .text.aarch64_resume_user, "ax"
	.globl aarch64_resume_user
	.type aarch64_resume_user, @function
aarch64_resume_user:
	load_user
	b aarch64_resume
	.size aarch64_resume_user, . - aarch64_resume_user

	.section .text.arch_user_enter, "ax"
	.globl arch_user_enter
	.type arch_user_enter, @function
arch_user_enter: /* x0 entry, p1, p2, p3; x1 end of its stack; x2 of that of its calls */
	msr daifset, #15
	mov x19, x1
	mov x20, x2
#ifdef CONFIG_FPU
	mov x21, x0
	bl aarch64_fpu_drop
	mov x0, x21
#endif
	load_user
	msr sp_el0, x19
	mov sp, x20
	ldr x1, [x0]
	msr AARCH64_OWN(elr), x1
	msr AARCH64_OWN(spsr), xzr
	ldp x1, x2, [x0, #16]
	ldr x0, [x0, #8]
	address x30, aarch64_user_return
	.irp register, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, x17
	mov \register, #0
	.endr
	.irp register, x19, x20, x21, x22, x23, x24, x25, x26, x27, x28, x29
	mov \register, #0
	.endr
	mov x18, #1
	eret
aarch64_user_return: /* in user mode: the thread's entry has returned */
	bl __wrap_k_current_get
	bl __wrap_k_thread_abort
	b aarch64_user_return
	.size arch_user_enter, . - arch_user_enter

	.section .text.arch_user_continue, "ax"
	.globl arch_user_continue
	.type arch_user_continue, @function
arch_user_continue: /* x0 place, x1 begin */
	mov sp, x0
	br x1
	.size arch_user_continue, . - arch_user_continue
