/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls and answers of four words, in registers. Going in: a0 gate or endpoint, a2 time-out, the
 * words in t3 to t6. Coming back: a0 the result, the words in the same, a1 the badge. With bytes
 * besides, and for as long as it takes: a1 from where, a2 how many, a3 how many may come there;
 * coming back, a2 how many have.
 *
 * The usual ones are fast (kernel/ipc/fast.c): that leaves the words' registers alone, so
 * they are in the receiver's hands as soon as the other registers are its own. Who waits so has a
 * frame at the end of its stack of system calls that looks as if it had called arch_switch():
 * whoever wakes it by any other way need not know, and it goes on at .Lcame, with its words out of
 * its block. That return address tells a frame from others.
 *
 * A message with bytes that is not fast changes nothing and comes back with 1, which is no
 * result, and a0 in a1: the caller then makes an ordinary system call of it
 * (kernel/ipc/verify_ipc.c). Rejected: both in one, for what costs many times that anyway.
 */
#include <board.h>
#include <offsets.h>
#include "frame.inc"
#include "guard.inc"
#include "user.inc"

#define MESSAGE_CALL_FRAME 16 /* as the ABI aligns it */
#define MESSAGE_BADGE (REGBYTES * 4)
#define MESSAGE_DATA  (REGBYTES * 5)
#define MESSAGE_SIZE  (REGBYTES * 6)
#define MESSAGE_CAPACITY  (REGBYTES * 7)

	/* ---- user mode: NAME(object, message, timeout) ---- */

	.macro message_call name, with_bytes, number, bytes_number
	.section .text.\name, "ax"
	.balign 4
	.globl \name
	.type \name, @function
\name:
	REG_L t1, MESSAGE_SIZE(a1)
	REG_L a3, MESSAGE_CAPACITY(a1)
	addi sp, sp, -MESSAGE_CALL_FRAME
	REG_S ra, 0(sp)
	or t0, t1, a3
	bnez t0, 2f
	REG_S a1, REGBYTES(sp)
	REG_L t3, 0(a1)
	REG_L t4, REGBYTES(a1)
	REG_L t5, REGBYTES * 2(a1)
	REG_L t6, REGBYTES * 3(a1)
	li a7, \number
	jal 3f
	REG_L t1, REGBYTES(sp)
	REG_L ra, 0(sp)
	addi sp, sp, MESSAGE_CALL_FRAME
	bnez a0, 1f
	REG_S t3, 0(t1)
	REG_S t4, REGBYTES(t1)
	REG_S t5, REGBYTES * 2(t1)
	REG_S t6, REGBYTES * 3(t1)
	REG_S a1, MESSAGE_BADGE(t1)
	/* Its size is 0, as it was. */
1:	ret
2:	/* With bytes: t1 the size, a3 the capacity. */
	addi t0, a2, 1
	bnez t0, 4f
	REG_S a1, REGBYTES(sp)
	mv a2, t1
	REG_L t3, 0(a1)
	REG_L t4, REGBYTES(a1)
	REG_L t5, REGBYTES * 2(a1)
	REG_L t6, REGBYTES * 3(a1)
	REG_L a1, MESSAGE_DATA(a1)
	li a7, \bytes_number
	jal 3f
	REG_L t1, REGBYTES(sp)
	REG_L ra, 0(sp)
	addi sp, sp, MESSAGE_CALL_FRAME
	bnez a0, 5f
	REG_S t3, 0(t1)
	REG_S t4, REGBYTES(t1)
	REG_S t5, REGBYTES * 2(t1)
	REG_S t6, REGBYTES * 3(t1)
	REG_S a1, MESSAGE_BADGE(t1)
	REG_S a2, MESSAGE_SIZE(t1)
	ret
4:	REG_L ra, 0(sp)
	addi sp, sp, MESSAGE_CALL_FRAME
	j 6f
5:	bltz a0, 1b
	mv a0, a1 /* as it was */
	mv a1, t1
	li a2, -1
6:	tail \with_bytes
3:	ecall
	.size \name, . - \name
	.endm

	message_call user_k_ipc_call, __wrap_user_ipc_call, IPC_CALL, IPC_CALL_BYTES
	message_call user_k_ipc_reply_receive, __wrap_user_ipc_reply_receive, IPC_REPLY_RECEIVE, \
		IPC_REPLY_RECEIVE_BYTES

	/* ---- kernel mode: user.S, masked to the end, a7 the number ---- */

	/*
	 * The running thread waits, as if it had called arch_switch() from `came`, and masked: the
	 * rest of its way opens. Then a0 runs; sp, where its frame is, a1, where it goes on there,
	 * and a2, `came`, are for to_fast, whose mstatus is the same.
	 */
	.macro from_fast came
	addi sp, sp, -FRAME_SIZE
	save_s 1, 2
	from_fast_saved \came
	.endm

	.macro from_fast_saved came
	REG_L a1, k_cpu + CPU_CURRENT
	REG_S a0, k_cpu + CPU_CURRENT, a2
	la a2, \came
	REG_S zero, FRAME_KEY(sp)
	REG_S a2, FRAME_RA(sp)
	save_s 0, 3, 4, 5, 6, 7, 8, 9, 10, 11
	REG_S sp, THREAD_SP(a1)
	REG_L sp, THREAD_SP(a0)
	REG_L a1, FRAME_RA(sp)
	.endm

	/*
	 * From a fast wait to user mode: a0 the thread, sp the end of its frame. Leaves its
	 * message's badge in a1, in a2 its bytes if it waits for such.
	 */
	.macro to_fast with_bytes
	load_guard_end a0
	move_guard
	load_regions a0, a1, a2, a3
	REG_L ra, FRAME_SIZE + USER_FRAME_RA(sp)
	beq a1, a2, 1f
	load_domain a1, a2, a3
1:
	restore_s 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	addi t1, sp, FRAME_SIZE + USER_FRAME_SIZE
	csrw mepc, ra
	csrw mscratch, t1
	REG_L sp, FRAME_SIZE + USER_FRAME_SP(sp)
	REG_L a1, MESSAGE_WORD(4)(a0)
	.if \with_bytes
	REG_L a2, MESSAGE_WORD(5)(a0)
	REG_S zero, MESSAGE_WORD(5)(a0)
	REG_S zero, MESSAGE_WORD(6)(a0)
	.endif
	.endm

	.macro clear_rest
	.irp register, a3, a4, a5, a6, a7, t0, t1, t2
	li \register, 0
	.endr
	li tp, 1
	mret
	.endm

	.section .text.riscv_ipc, "ax"
	.balign 16
	.globl riscv_ipc
	.type riscv_ipc, @function
riscv_ipc:
	csrrw t1, mscratch, zero
	addi sp, sp, -USER_FRAME_SIZE
	REG_S ra, USER_FRAME_RA(sp)
	REG_S t1, USER_FRAME_SP(sp)
	REG_S a0, 0(sp)
#if __riscv_xlen == 64
	addiw a5, a2, 1 /* of a time-out only its 32 bits are given */
#else
	addi a5, a2, 1
#endif
	bnez a5, .Lnot_for_ever
	addi a7, a7, -IPC_CALL
	bnez a7, .Lreply_receive
	call ipc_call_fast
	beqz a0, .Lno_fast_call
.Lfast:
	from_fast .Lcame
	bne a1, a2, .Lnot_words
.Lto_words:
	to_fast 0
	li a0, 0
.Lclear:
	li a2, 0
.Lclear_but_size:
	clear_rest

.Lreply_receive:
	addi a7, a7, IPC_CALL - IPC_REPLY_RECEIVE
	bnez a7, .Lperhaps_bytes
	call ipc_reply_receive_fast
	bnez a0, .Lfast
	li a7, 1
	li a2, -1
	j .Lslow_at_last
.Lno_fast_call:
	li a7, 0
	li a2, -1
	j .Lslow_at_last

.Lnot_words:
	la a2, .Lcame_bytes
	beq a1, a2, .Lto_bytes
	la a2, .Lcame_fault
	beq a1, a2, .Lto_fault
.Lno_bytes:
	REG_S zero, MESSAGE_WORD(5)(a0) /* bytes */
.Lnot_fast: /* it waits in the kernel's middle, and takes its words out of its block */
	REG_S t3, MESSAGE_WORD(0)(a0)
	REG_S t4, MESSAGE_WORD(1)(a0)
	REG_S t5, MESSAGE_WORD(2)(a0)
	REG_S t6, MESSAGE_WORD(3)(a0)
	REG_S zero, THREAD_WAKE_VALUE(a0)
	mv a1, a0
	j riscv_switch_saved

.Lto_bytes:
	to_fast 1
	li a0, 0
	clear_rest

	/* A time-out; or bytes, of which a2 is the number, which may look like for ever. */
.Lperhaps_bytes:
	addi a7, a7, IPC_REPLY_RECEIVE
.Lnot_for_ever:
	addi a5, a7, -IPC_CALL_BYTES
	bnez a5, .Lnot_call_bytes
	addi sp, sp, -FRAME_SIZE
	save_s 1, 2
	call ipc_call_fast_bytes /* which may change those */
.Lfast_bytes:
	beqz a0, .Lno_fast_bytes
	from_fast_saved .Lcame_bytes
	beq a1, a2, .Lto_bytes
	la a2, .Lcame
	beq a1, a2, .Lto_words
	j .Lnot_fast /* how many bytes is in its block */
.Lno_fast_bytes:
	restore_s 1, 2
	addi sp, sp, FRAME_SIZE
	REG_L ra, USER_FRAME_RA(sp)
	REG_L a1, 0(sp)
	leave_call
	li a0, 1
	j .Lnothing_came_but_a1
.Lnot_call_bytes:
	addi a5, a7, -IPC_REPLY_RECEIVE_BYTES
	bnez a5, .Lslow
	addi sp, sp, -FRAME_SIZE
	save_s 1, 2
	call ipc_reply_receive_fast_bytes
	j .Lfast_bytes

	/* A time-out, or fast.c says no: by the thread's own kernel stack, as any call. */
.Lslow:
	addi a7, a7, -IPC_CALL
	beqz a7, .Lslow_at_last
	addi a5, a7, IPC_CALL - IPC_REPLY_RECEIVE
	bnez a5, .Lno_such
.Lslow_at_last:
	REG_L a0, 0(sp)
	mv a1, a2
	addi sp, sp, -REGBYTES * 4
	REG_S t3, 0(sp)
	REG_S t4, REGBYTES(sp)
	REG_S t5, REGBYTES * 2(sp)
	REG_S t6, REGBYTES * 3(sp)
	mv a2, sp
	la ra, .Lcame_slow
	bnez a7, 1f
	tail user_call_words
1:	tail user_reply_receive_words
.Lcame_slow:
	addi sp, sp, REGBYTES * 4
.Lcame:
	mask_and_load_regions .Lloaded, .Lload_domain
.Lloaded:
	leave_call
	bnez a0, .Lnothing_came
	REG_L t1, k_cpu + CPU_CURRENT
	REG_L t3, MESSAGE_WORD(0)(t1)
	REG_L t4, MESSAGE_WORD(1)(t1)
	REG_L t5, MESSAGE_WORD(2)(t1)
	REG_L t6, MESSAGE_WORD(3)(t1)
	REG_L a1, MESSAGE_WORD(4)(t1)
	j .Lclear
.Lcame_bytes:
	mask_and_load_regions .Lloaded_bytes, .Lload_domain_bytes
.Lloaded_bytes:
	leave_call
	REG_L t1, k_cpu + CPU_CURRENT
	REG_L a2, MESSAGE_WORD(5)(t1)
	REG_S zero, MESSAGE_WORD(5)(t1)
	REG_S zero, MESSAGE_WORD(6)(t1)
	bnez a0, .Lnothing_came
	REG_L t3, MESSAGE_WORD(0)(t1)
	REG_L t4, MESSAGE_WORD(1)(t1)
	REG_L t5, MESSAGE_WORD(2)(t1)
	REG_L t6, MESSAGE_WORD(3)(t1)
	REG_L a1, MESSAGE_WORD(4)(t1)
	j .Lclear_but_size
.Lnothing_came: /* nor anything that is left in the block */
	li a1, 0
.Lnothing_came_but_a1:
	.irp register, t3, t4, t5, t6
	li \register, 0
	.endr
	j .Lclear
.Lload_domain:
	jal t0, riscv_load_domain
	j .Lloaded
.Lload_domain_bytes:
	jal t0, riscv_load_domain
	j .Lloaded_bytes

.Lno_such: /* a number of that sign, and neither */
	REG_L ra, USER_FRAME_RA(sp)
	REG_L t1, USER_FRAME_SP(sp)
	addi sp, sp, USER_FRAME_SIZE
	csrw mscratch, t1
	j riscv_no_such_call
	.size riscv_ipc, . - riscv_ipc

	/*
	 * ---- a fault of user mode: user.S; sp the end of the stack of system calls, mscratch the
	 * user's, tp nothing ----
	 */

	/*
	 * All registers go there, into a struct riscv_saved (user_fault.h), and straight to the
	 * handler go the words alone; the thread then waits as if it had called arch_switch() from
	 * .Lcame_fault, with nothing in its frame that it needs.
	 */
	.macro restore_saved
	addi t0, sp, KEPT_SIZE
	csrw mscratch, t0
	mv t0, sp
	.irp n, 1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	REG_L x\n, KEPT_REGISTERS + REGBYTES * \n(t0)
	.endr
	REG_L t0, KEPT_REGISTERS + REGBYTES * 5(t0)
	li tp, 1
	mret
	.endm

	.balign 4
	.globl riscv_user_fault
	.type riscv_user_fault, @function
	.weak ipc_fault_fast /* who sets no gate does not come there */
riscv_user_fault:
	addi sp, sp, -KEPT_SIZE
	.irp n, 1, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	REG_S x\n, KEPT_REGISTERS + REGBYTES * \n(sp)
	.endr
	li tp, 1
	csrrw t0, mscratch, zero
	csrr t1, mepc
	REG_S tp, KEPT_REGISTERS + REGBYTES * 4(sp)
	REG_S t0, KEPT_REGISTERS + REGBYTES * 2(sp)
	REG_S t1, KEPT_REGISTERS(sp)
	li tp, 0
	mv a0, sp
	call riscv_fault_is_saved
	beqz a0, .Lreport
	mv a0, sp
	call ipc_fault_fast
	beqz a0, .Lnot_fast_fault
	REG_L a1, k_cpu + CPU_CURRENT
	REG_S a0, k_cpu + CPU_CURRENT, a2
	la a2, .Lcame_fault
	REG_L t3, 0(sp)
	REG_L t4, REGBYTES(sp)
	REG_L t5, REGBYTES * 2(sp)
	REG_L t6, REGBYTES * 3(sp)
	addi sp, sp, -FRAME_SIZE
	REG_S zero, FRAME_KEY(sp)
	REG_S a2, FRAME_RA(sp)
	REG_S sp, THREAD_SP(a1)
	REG_L sp, THREAD_SP(a0)
	REG_L a1, FRAME_RA(sp)
	la a2, .Lcame
	bne a1, a2, 1f
	j .Lto_words
1:	j .Lnot_words
.Lreport:
	tail riscv_fault_of_frame

	/* Its answer, as .Lto_words: a0 the thread, sp its frame. K_IPC_FAULT_RESUME is 0. */
.Lto_fault:
	bnez t3, 2f
	load_guard_end a0
	move_guard
	load_regions a0, a1, a2, a3
	beq a1, a2, 1f
	load_domain a1, a2, a3
1:	REG_S zero, MESSAGE_WORD(6)(a0) /* capacity */
	csrw mepc, t5
	addi sp, sp, FRAME_SIZE
	restore_saved
2:	j .Lno_bytes

	/* Woken by any other way: a0 the result. */
.Lcame_fault:
	mv a1, a0
	mv a0, sp
	csrsi mstatus, 8
	call riscv_fault_answered
	j .Lgoes_on
.Lnot_fast_fault:
	mv a0, sp
	csrsi mstatus, 8
	call riscv_fault_deliver
.Lgoes_on:
	li t0, MSTATUS_TO_USER
	csrw mstatus, t0
	csrw mepc, a0
	REG_L t2, k_cpu + CPU_CURRENT
	branch_if_loaded 1f
	load_regions_from t4
	beq t4, t5, 1f
	jal t0, riscv_load_domain
1:	restore_saved
	.size riscv_user_fault, . - riscv_user_fault
