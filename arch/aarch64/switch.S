/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The context switch: a function call that returns in another thread. Only what a
 * call must preserve is saved. A thread that was interrupted comes here too, called
 * by the end of its interrupt (trap.S), which has saved the rest: so there is one
 * kind of frame, and no test for which.
 */
#include "floating_point.inc"
#include <offsets.h>
#include "frame.inc"
#include "trace.inc"

	.section .text.arch_switch, "ax"
	.balign 16
	.globl arch_switch
	.type arch_switch, @function
arch_switch: /* x0 from, x1 to, w2 key */
	save_callee_saved
	mov x3, sp
	str x2, [sp, #FRAME_KEY]
	str x3, [x0, #THREAD_SP]
	.globl aarch64_switch_saved /* a fault before is `from`'s, one behind is `to`'s: fault.c */
aarch64_switch_saved:
.Lrestore:
	ldr x3, [x1, #THREAD_SP]
	ldr x0, [x1, #THREAD_WAKE_VALUE]
	mov sp, x3
#ifdef CONFIG_THREAD_LOCAL_STORAGE
	ldr x2, [x1, #THREAD_TLS]
	msr tpidr_el0, x2 /* which nobody else writes: not saved */
#endif
	fpu_switch x1
	ldr x2, [x3, #FRAME_KEY]
	restore_callee_saved
	trace_switched_hook
	msr daif, x2
	ret
	.size arch_switch, . - arch_switch

	.globl arch_start
	.type arch_start, @function
arch_start: /* x0 first */
	mov x1, x0
	b .Lrestore
	.size arch_start, . - arch_start

	/* Where a new thread's first frame returns to; see arch_stack_init(). */
	.globl aarch64_thread_start
	.type aarch64_thread_start, @function
aarch64_thread_start:
	mov x0, x20
	mov x1, x21
	mov x2, x22
	adrp x30, thread_exit
	add x30, x30, :lo12:thread_exit
	br x19
	.size aarch64_thread_start, . - aarch64_thread_start
