/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls and answers of four words, in registers. Going in: a0 gate or endpoint, a2 time-out, the words in a1, a3, a6, t0 (a4
 * and a5 are the entry's). Coming back: a0 the result, the words in the same, a2 the badge.
 *
 * A message with bytes is an ordinary system call (kernel/protect/verify_ipc.c).
 */
#include "offsets.h"
#include "user.inc"

#define MESSAGE_BADGE (REGBYTES * 4)
#define MESSAGE_SIZE  (REGBYTES * 6)
#define MESSAGE_ROOM  (REGBYTES * 7)

	/* ---- user mode: NAME(object, message, timeout) ---- */

	.macro message_call name, with_bytes, number
	.section .text.\name, "ax"
	.balign 4
	.globl \name
	.type \name, @function
\name:
	REG_L t1, MESSAGE_SIZE(a1)
	REG_L t2, MESSAGE_ROOM(a1)
	addi sp, sp, -16
	REG_S ra, 0(sp)
	or t1, t1, t2
	bnez t1, 2f
	REG_S a1, REGBYTES(sp)
	REG_L a3, REGBYTES(a1)
	REG_L a6, REGBYTES * 2(a1)
	REG_L t0, REGBYTES * 3(a1)
	REG_L a1, 0(a1)
	li a7, \number
	jal 3f
	REG_L t1, REGBYTES(sp)
	REG_L ra, 0(sp)
	addi sp, sp, 16
	bnez a0, 1f
	REG_S a1, 0(t1)
	REG_S a3, REGBYTES(t1)
	REG_S a6, REGBYTES * 2(t1)
	REG_S t0, REGBYTES * 3(t1)
	REG_S a2, MESSAGE_BADGE(t1)
	/* Its size is 0, as it was. */
1:	ret
2:	addi sp, sp, 16
	tail \with_bytes
3:	ecall
	.size \name, . - \name
	.endm

	message_call user_k_ipc_call, __wrap_user_ipc_call, IPC_CALL
	message_call user_k_ipc_reply_receive, __wrap_user_ipc_reply_receive, IPC_REPLY_RECEIVE

	/* ---- kernel mode: user.S, masked, a7 the number ---- */

	.section .text.riscv_ipc, "ax"
	.balign 16
	.globl riscv_ipc
	.type riscv_ipc, @function
riscv_ipc:
	csrrw t1, mscratch, zero
	addi sp, sp, -USER_FRAME_SIZE
	REG_S ra, USER_FRAME_RA(sp)
	REG_S t1, USER_FRAME_SP(sp)
	mv a4, a6
	mv a5, t0
	addi a7, a7, -IPC_CALL
	la ra, .Lcame
	bnez a7, 1f
	tail user_call_words
1:	tail user_reply_receive_words
.Lcame:
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
	mv t1, a1
	REG_L a1, 0(t1)
	REG_L a3, REGBYTES(t1)
	REG_L a6, REGBYTES * 2(t1)
	REG_L t0, REGBYTES * 3(t1)
	REG_L a2, MESSAGE_BADGE(t1)
	.irp register, a4, a5, a7, t1, t2, t3, t4, t5, t6
	li \register, 0
	.endr
	li tp, 1
	mret
.Lload_domain:
	addi sp, sp, -16
	REG_S a0, 0(sp)
	REG_S a1, REGBYTES(sp)
	mv a0, t4
	call riscv_domain_load
	REG_L a0, 0(sp)
	REG_L a1, REGBYTES(sp)
	addi sp, sp, 16
	REG_L ra, USER_FRAME_RA(sp)
	j .Lloaded
	.size riscv_ipc, . - riscv_ipc
