/* SPDX-License-Identifier: Apache-2.0 */
#include <arch_level.h>
#include <board.h>
#include "floating_point.inc"
#include <offsets.h>
#include "frame.inc"
#include "user.inc"

	/* ---- kernel mode: user.S, masked to the end, x8 the number ---- */

	.macro save_frame
	callee_pairs stp
	str x29, [sp, #FRAME_X(29)]
	.endm

	/*
	 * The rest of the frame, as if the running thread had called arch_switch() from `came`, and
	 * masked: the rest of its way opens. Then x0 runs; x3, where its frame is, x1, where it
	 * goes on there, and x2, `came`, are for to_fast.
	 */
	.macro from_fast came
	adr x2, \came
	mov w3, #PSTATE_I
	stp x2, x3, [sp, #FRAME_X(30)] /* and the key */
	adrp x19, k_cpu + CPU_CURRENT
	ldr x1, [x19, :lo12:k_cpu + CPU_CURRENT]
	mov x3, sp
	str x3, [x1, #THREAD_SP]
	str x0, [x19, :lo12:k_cpu + CPU_CURRENT]
	ldr x3, [x0, #THREAD_SP]
	ldr x1, [x3, #FRAME_X(30)]
	cmp x1, x2
	.endm

	/* x0 goes to user mode: what is its own is loaded. Leaves x1 to x15 alone. */
	.macro load_fast
	fpu_switch x0
	load_thread x0, x16, x17, x19, x20, 2f
1:
	.subsection 1
2:	open_stack x0, x16, x17, x19, x20, x21, x22, x23, 3f
	b 1b
3:	bl aarch64_open_by_c
	b 1b
	.previous
	.endm

	/*
	 * From a fast wait to user mode: x0 the thread, x3 its frame. Leaves x9 to x15 alone,
	 * and what clear_rest clears.
	 */
	.macro to_fast
	mov sp, x3
	load_fast
	ldp x30, x8, [sp, #FRAME_SIZE]
	callee_pairs ldp
	ldr x29, [sp, #FRAME_X(29)]
	ldp x19, x20, [sp], #FRAME_SIZE + USER_FRAME_SIZE
	msr AARCH64_OWN(elr), x30
	msr sp_el0, x8
	msr AARCH64_OWN(spsr), xzr
	ldr x1, [x0, #MESSAGE_WORD(4)]
	.endm

	.macro clear_rest
	.irp register, x3, x8, x16, x17
	mov \register, #0
	.endr
	mov x18, #1
	eret
	.endm

	.section .text.vectors.ipc, "ax"
	/* what is seldom, or for a domain's other thread, out of the way of the rest */
	.subsection 1
	.type aarch64_ipc_aside, @function
aarch64_ipc_aside:
	.previous
	.balign 64
	.globl aarch64_ipc
	.type aarch64_ipc, @function
aarch64_ipc:
	mrs x17, sp_el0
	stp x30, x17, [sp, #-USER_FRAME_SIZE]!
	stp x19, x20, [sp, #-FRAME_SIZE]!
	mov x19, x0 /* for the slow path */
	cmn w2, #1
	b.ne .Lperhaps_bytes
	cmp x8, #IPC_CALL
	b.ne .Lreply_receive
	bl ipc_call_fast
	cbz x0, .Lno_fast_call
.Lfast:
	save_frame
	from_fast .Lcame
	b.ne .Lnot_words
.Lto_words:
	to_fast
	mov x0, #0
.Lclear:
	mov x2, #0
	.irp register, x9, x10, x11, x12, x13, x14, x15
	mov \register, #0
	.endr
	clear_rest

.Lreply_receive:
	cmp x8, #IPC_REPLY_RECEIVE
	b.ne .Lno_such
	bl ipc_reply_receive_fast
	cbnz x0, .Lfast
	mov x8, #IPC_REPLY_RECEIVE
	mov w2, #-1
	b .Lround
.Lno_fast_call:
	mov x8, #IPC_CALL
	mov w2, #-1

	/* A time-out, or fast.c says no: by the thread's own kernel stack, as any call. */
.Lround:
	mov x0, x19
	ldp x19, x20, [sp], #FRAME_SIZE
	mov w1, w2
	stp x6, x7, [sp, #-16]!
	stp x4, x5, [sp, #-16]!
	mov x2, sp
	cmp x8, #IPC_CALL
	b.ne 1f
	bl user_call_words
	b 2f
1:	cmp x8, #IPC_REPLY_RECEIVE
	b.ne .Lno_such_with_time_out
	bl user_reply_receive_words
2:	add sp, sp, #32
.Lcame:
	msr daifset, #15
	load_user
	ldp x30, x10, [sp], #USER_FRAME_SIZE
	msr AARCH64_OWN(elr), x30
	msr sp_el0, x10
	msr AARCH64_OWN(spsr), xzr
	cbnz w0, .Lnothing_came
	adrp x9, k_cpu + CPU_CURRENT
	ldr x9, [x9, :lo12:k_cpu + CPU_CURRENT]
	ldp x4, x5, [x9, #MESSAGE_WORD(0)]
	ldp x6, x7, [x9, #MESSAGE_WORD(2)]
	ldr x1, [x9, #MESSAGE_WORD(4)]
	b .Lclear
.Lnothing_came: /* nor anything that is left in the block */
	.irp register, x1, x4, x5, x6, x7
	mov \register, #0
	.endr
	b .Lclear

.Lnot_words: /* x1: where it goes on */
	adr x2, .Lcame_bytes
	cmp x1, x2
	b.eq .Lto_bytes
	adr x2, .Lcame_fault
	cmp x1, x2
	b.eq .Lto_fault
.Lno_bytes:
	str xzr, [x0, #MESSAGE_WORD(5)] /* bytes */
.Lnot_fast: /* it waits in the kernel's middle, and takes its words out of its block */
	stp x4, x5, [x0, #MESSAGE_WORD(0)]
	stp x6, x7, [x0, #MESSAGE_WORD(2)]
	str xzr, [x0, #THREAD_WAKE_VALUE]
	mov x1, x0
	b aarch64_switch_saved

	/*
	 * ---- with bytes: x1 where they may come, x2 how many are in x9 to x15, x3 how many may
	 * come ----
	 */

.Lperhaps_bytes:
	cmp x8, #IPC_REPLY_RECEIVE
	b.ge .Lround
	save_frame /* fast_bytes.c needs what a callee keeps */
	cmp x8, #IPC_CALL_BYTES
	b.ne 1f
	bl ipc_call_fast_bytes
	b 2f
1:	cmp x8, #IPC_REPLY_RECEIVE_BYTES
	b.ne .Lno_such
	bl ipc_reply_receive_fast_bytes
2:	cbz x0, .Lno_fast_bytes
	from_fast .Lcame_bytes
	b.eq .Lto_bytes
	adr x2, .Lcame
	cmp x1, x2
	b.ne .Lnot_fast /* how many bytes is in its block */
	b .Lto_words

.Lto_bytes:
	to_fast
	ldr x2, [x0, #MESSAGE_WORD(5)]
	stp xzr, xzr, [x0, #MESSAGE_WORD(5)]
	mov x0, #0
.Lclear_but_bytes: /* what no word is in */
	adr x3, 1f
	add x3, x3, x2, lsr #1
	br x3
1:	.irp register, x9, x10, x11, x12, x13, x14, x15
	mov \register, #0
	.endr
	clear_rest

	/* Woken otherwise: what came is in memory by now. */
.Lcame_bytes:
	msr daifset, #15
	load_user
	ldp x30, x10, [sp], #USER_FRAME_SIZE
	msr AARCH64_OWN(elr), x30
	msr sp_el0, x10
	msr AARCH64_OWN(spsr), xzr
	adrp x9, k_cpu + CPU_CURRENT
	ldr x9, [x9, :lo12:k_cpu + CPU_CURRENT]
	ldr x3, [x9, #MESSAGE_WORD(5)]
	stp xzr, xzr, [x9, #MESSAGE_WORD(5)]
	cbnz w0, .Lnothing_came
	ldp x4, x5, [x9, #MESSAGE_WORD(0)]
	ldp x6, x7, [x9, #MESSAGE_WORD(2)]
	ldr x1, [x9, #MESSAGE_WORD(4)]
	.irp register, x2, x8, x9, x10, x11, x12, x13, x14, x15, x16, x17
	mov \register, #0
	.endr
	mov x18, #1
	eret

	/* Nothing was changed. */
.Lno_fast_bytes:
	callee_pairs ldp
	mov x1, x19
	ldp x19, x20, [sp], #FRAME_SIZE + USER_FRAME_SIZE
	mov x0, #1
	.irp register, x4, x5, x6, x7
	mov \register, #0
	.endr
	b .Lclear

	/* A number of that sign, and neither. */
.Lno_such:
	ldp x19, x20, [sp], #FRAME_SIZE
	add sp, sp, #USER_FRAME_SIZE
	b aarch64_no_such_call
.Lno_such_with_time_out:
	add sp, sp, #32 + USER_FRAME_SIZE
	b aarch64_no_such_call
	.size aarch64_ipc, . - aarch64_ipc

	/*
	 * ---- a fault of user mode: user.S, masked, sp the end of the stack of system calls ----
	 */

	/*
	 * All registers go there, into a struct aarch64_saved (user_fault.h), and straight to the
	 * handler go the words alone; the thread then waits as if it had called arch_switch() from
	 * .Lcame_fault, with nothing in its frame that it needs.
	 */
	.macro saved_pairs instruction /* but x0 and x1, x18 and x19 */
	\instruction x2, x3, [sp, #KEPT_REGISTERS + 8 * 2]
	\instruction x4, x5, [sp, #KEPT_REGISTERS + 8 * 4]
	\instruction x6, x7, [sp, #KEPT_REGISTERS + 8 * 6]
	\instruction x8, x9, [sp, #KEPT_REGISTERS + 8 * 8]
	\instruction x10, x11, [sp, #KEPT_REGISTERS + 8 * 10]
	\instruction x12, x13, [sp, #KEPT_REGISTERS + 8 * 12]
	\instruction x14, x15, [sp, #KEPT_REGISTERS + 8 * 14]
	\instruction x16, x17, [sp, #KEPT_REGISTERS + 8 * 16]
	\instruction x20, x21, [sp, #KEPT_REGISTERS + 8 * 20]
	\instruction x22, x23, [sp, #KEPT_REGISTERS + 8 * 22]
	\instruction x24, x25, [sp, #KEPT_REGISTERS + 8 * 24]
	\instruction x26, x27, [sp, #KEPT_REGISTERS + 8 * 26]
	\instruction x28, x29, [sp, #KEPT_REGISTERS + 8 * 28]
	.endm

	.macro restore_saved
	ldr x1, [sp, #KEPT_PSTATE]
	and x1, x1, #0xf0000000 /* its flags alone */
	msr AARCH64_OWN(spsr), x1
	ldp x30, x1, [sp, #KEPT_REGISTERS + 8 * 30] /* and its sp */
	msr sp_el0, x1
	saved_pairs ldp
	ldr x19, [sp, #KEPT_REGISTERS + 8 * 19]
	ldp x0, x1, [sp, #KEPT_REGISTERS]
	add sp, sp, #KEPT_SIZE
	mov x18, #1
	eret
	.endm

	.balign 16
	.globl aarch64_user_fault
	.type aarch64_user_fault, @function
	.weak ipc_fault_fast /* who sets no gate does not come there */
aarch64_user_fault:
	sub sp, sp, #KEPT_SIZE
	stp x0, x1, [sp, #KEPT_REGISTERS]
	saved_pairs stp
	mrs x0, sp_el0
	mrs x1, AARCH64_OWN(elr)
	mrs x2, AARCH64_OWN(spsr)
	stp xzr, x19, [sp, #KEPT_REGISTERS + 8 * 18]
	stp x30, x0, [sp, #KEPT_REGISTERS + 8 * 30]
	str x1, [sp, #KEPT_REGISTERS + 8 * FAULT_PC]
	str x2, [sp, #KEPT_PSTATE]
	mov x18, #0
	mov x0, sp
	bl aarch64_fault_is_saved
	cbz w0, aarch64_fault_of_frame
	mov x0, sp
	bl ipc_fault_fast
	cbz x0, .Lnot_fast_fault
	ldp x4, x5, [sp]
	ldp x6, x7, [sp, #16]
	sub sp, sp, #FRAME_SIZE
	from_fast .Lcame_fault
	adr x2, .Lcame
	cmp x1, x2
	b.ne .Lnot_words
	b .Lto_words

	/* Its answer, as .Lto_words: x0 the thread, x3 its frame. K_IPC_FAULT_RESUME is 0. */
.Lto_fault:
	cbnz x4, .Lno_bytes
	mov sp, x3
	load_fast
	str xzr, [x0, #MESSAGE_WORD(6)] /* capacity */
	msr AARCH64_OWN(elr), x6
	add sp, sp, #FRAME_SIZE
	restore_saved

	/* Woken by any other way: x0 the result. */
.Lcame_fault:
	mov x1, x0
	mov x0, sp
	msr daifclr, #15
	bl aarch64_fault_answered
	b .Lgoes_on
.Lnot_fast_fault:
	mov x0, sp
	msr daifclr, #15
	bl aarch64_fault_deliver
.Lgoes_on:
	msr daifset, #15
	mov x19, x0
	load_user
	msr AARCH64_OWN(elr), x19
	restore_saved
	.size aarch64_user_fault, . - aarch64_user_fault

	.subsection 1
	.size aarch64_ipc_aside, . - aarch64_ipc_aside
	.previous
