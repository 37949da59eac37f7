/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls and answers of four words, in registers. Going in: x0 gate or endpoint, w2 time-out, the words in x4 to x7, x8 which
 * of both. Coming back: x0 the result, the words in the same, x1 the badge.
 *
 * The usual ones are straight (kernel/ipc/straight.c): that leaves the words' registers alone, so they are in the
 * receiver's hands as soon as the other registers are its own. Who waits so has a frame at the end of its stack of
 * system calls that looks as if it had called arch_switch(): whoever wakes it by any other way need not know, and it
 * goes on at .Lcame, with its words out of its block. That return address tells a frame from others.
 *
 * A message with bytes is an ordinary system call (kernel/protect/verify_ipc.c).
 */
#include <arch_level.h>
#include "offsets.h"
#include "user.inc"

#define MESSAGE_BADGE 32
#define MESSAGE_SIZE  48 /* and the room for another one */

	/* ---- user mode: NAME(object, message, timeout) ---- */

	.macro message_call name, with_bytes, number
	.section .text.\name, "ax"
	.balign 16
	.globl \name
	.type \name, @function
\name:
	ldp x9, x10, [x1, #MESSAGE_SIZE]
	orr x9, x9, x10
	cbnz x9, 2f
	ldp x4, x5, [x1]
	ldp x6, x7, [x1, #16]
	stp x1, x30, [sp, #-16]!
	mov x8, #\number
	adr x30, 1f
	svc #0
1:	ldp x9, x30, [sp], #16
	cbnz w0, 3f
	stp x4, x5, [x9]
	stp x6, x7, [x9, #16]
	str x1, [x9, #MESSAGE_BADGE]
	/* Its size is 0, as it was. */
3:	ret
2:	b \with_bytes
	.size \name, . - \name
	.endm

	message_call user_k_ipc_call, __wrap_user_ipc_call, IPC_CALL
	message_call user_k_ipc_reply_receive, __wrap_user_ipc_reply_receive, IPC_REPLY_RECEIVE

	/* ---- kernel mode: user.S, masked to the end, x8 the number ---- */

	.section .text.aarch64_ipc, "ax"
	.balign 64
	.globl aarch64_ipc
	.type aarch64_ipc, @function
aarch64_ipc:
	mrs x10, sp_el0
	stp x30, x10, [sp, #-USER_FRAME_SIZE]!
	stp x19, x20, [sp, #-FRAME_SIZE]!
	mov x19, x0 /* for the way round */
	cmn w2, #1
	b.ne .Lround
	cmp x8, #IPC_CALL
	b.ne .Lreply_receive
	bl ipc_call_straight
	cbz x0, .Lno_straight_call
.Lstraight:

	/* As if the running thread had called arch_switch() from here, and masked: the rest of its way opens. */
	adr x2, .Lcame
	mov w3, #PSTATE_I
	stp x21, x22, [sp, #FRAME_X(21)]
	stp x23, x24, [sp, #FRAME_X(23)]
	stp x25, x26, [sp, #FRAME_X(25)]
	stp x27, x28, [sp, #FRAME_X(27)]
	str x29, [sp, #FRAME_X(29)]
	stp x2, x3, [sp, #FRAME_X(30)] /* and the key */
	adrp x9, k_cpu + CPU_CURRENT
	ldr x1, [x9, :lo12:k_cpu + CPU_CURRENT]
	mov x3, sp
	str x3, [x1, #THREAD_SP]
	str x0, [x9, :lo12:k_cpu + CPU_CURRENT]

	/* From there to user mode with the other one. */
	ldr x3, [x0, #THREAD_SP]
	ldr x1, [x3, #FRAME_X(30)]
	cmp x1, x2
	b.ne .Lnot_straight
	mov sp, x3
	load_thread x0, .Lopen_stack
.Lloaded:
	ldp x30, x10, [sp, #FRAME_SIZE]
	ldp x21, x22, [sp, #FRAME_X(21)]
	ldp x23, x24, [sp, #FRAME_X(23)]
	ldp x25, x26, [sp, #FRAME_X(25)]
	ldp x27, x28, [sp, #FRAME_X(27)]
	ldr x29, [sp, #FRAME_X(29)]
	ldp x19, x20, [sp], #FRAME_SIZE + USER_FRAME_SIZE
	msr AARCH64_OWN(elr), x30
	msr sp_el0, x10
	msr AARCH64_OWN(spsr), xzr
	ldr x1, [x0, #MESSAGE_WORD(4)]
	mov x0, #0
.Lclear:
	.irp register, x2, x3, x8, x9, x10, x11, x12, x13, x14, x15, x16, x17
	mov \register, #0
	.endr
	mov x18, #1
	eret

.Lopen_stack:
	mov x9, x0
	bl aarch64_open_stack
	b .Lloaded

.Lreply_receive:
	cmp x8, #IPC_REPLY_RECEIVE
	b.ne .Lno_such
	bl ipc_reply_receive_straight
	cbnz x0, .Lstraight
	mov x8, #IPC_REPLY_RECEIVE
	mov w2, #-1
	b .Lround
.Lno_straight_call:
	mov x8, #IPC_CALL
	mov w2, #-1

	/* A time-out, or straight.c says no: by the thread's own kernel stack, as any call. */
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

.Lnot_straight: /* it waits in the kernel's middle, and takes its words out of its block */
	stp x4, x5, [x0, #MESSAGE_WORD(0)]
	stp x6, x7, [x0, #MESSAGE_WORD(2)]
	str xzr, [x0, #MESSAGE_WORD(5)] /* its size */
	str xzr, [x0, #THREAD_WAKE_VALUE]
	mov x1, x0
	b aarch64_switch_saved

	/* A number of that sign, and neither. */
.Lno_such:
	ldp x19, x20, [sp], #FRAME_SIZE
	add sp, sp, #USER_FRAME_SIZE
	b aarch64_no_such_call
.Lno_such_with_time_out:
	add sp, sp, #32 + USER_FRAME_SIZE
	b aarch64_no_such_call
	.size aarch64_ipc, . - aarch64_ipc

	/* ---- a fault of user mode: trap.S, x0 the stack pointer at struct aarch64_kept (user_fault.h) ---- */

	.section .text.aarch64_fault_to_handler, "ax"
	.balign 16
	.globl aarch64_fault_to_handler
	.type aarch64_fault_to_handler, @function
	.weak ipc_fault_deliver /* who sets no gate does not come here */
aarch64_fault_to_handler:
	mov sp, x0
	adrp x1, aarch64_kept
	str xzr, [x1, :lo12:aarch64_kept]
	adrp x1, k_cpu + CPU_IN_ISR
	str xzr, [x1, :lo12:k_cpu + CPU_IN_ISR]
	msr daifclr, #15
	bl ipc_fault_deliver
	msr daifset, #15
	mov x19, x0
	load_user
	msr AARCH64_OWN(elr), x19
	ldr x1, [sp, #KEPT_PSTATE]
	and x1, x1, #0xf0000000 /* its flags alone */
	msr AARCH64_OWN(spsr), x1
	ldp x30, x1, [sp, #KEPT_REGISTERS + 8 * 30] /* and its sp */
	msr sp_el0, x1
	ldp x2, x3, [sp, #KEPT_REGISTERS + 8 * 2]
	ldp x4, x5, [sp, #KEPT_REGISTERS + 8 * 4]
	ldp x6, x7, [sp, #KEPT_REGISTERS + 8 * 6]
	ldp x8, x9, [sp, #KEPT_REGISTERS + 8 * 8]
	ldp x10, x11, [sp, #KEPT_REGISTERS + 8 * 10]
	ldp x12, x13, [sp, #KEPT_REGISTERS + 8 * 12]
	ldp x14, x15, [sp, #KEPT_REGISTERS + 8 * 14]
	ldp x16, x17, [sp, #KEPT_REGISTERS + 8 * 16]
	ldr x19, [sp, #KEPT_REGISTERS + 8 * 19]
	ldp x20, x21, [sp, #KEPT_REGISTERS + 8 * 20]
	ldp x22, x23, [sp, #KEPT_REGISTERS + 8 * 22]
	ldp x24, x25, [sp, #KEPT_REGISTERS + 8 * 24]
	ldp x26, x27, [sp, #KEPT_REGISTERS + 8 * 26]
	ldp x28, x29, [sp, #KEPT_REGISTERS + 8 * 28]
	ldp x0, x1, [sp, #KEPT_REGISTERS]
	add sp, sp, #KEPT_SIZE
	mov x18, #1
	eret
	.size aarch64_fault_to_handler, . - aarch64_fault_to_handler
