/* SPDX-License-Identifier: Apache-2.0 */
/*
 * User mode's side of calls and answers: the message's words, and with them up to seven machine
 * words of bytes, are loaded into registers, and stored from them, by user mode itself, on its own
 * account: the kernel looks after the receiver's capacity only (kernel/ipc/fast_bytes.c).
 * Which registers: ipc.S. A message with bytes that is not fast changes nothing and comes back
 * with 1, which is no result: the caller then makes an ordinary system call of it
 * (kernel/ipc/verify_ipc.c).
 */
/*
 * Calls and answers of four words, in registers. Going in: x0 gate or endpoint, w2 time-out, the
 * words in x4 to x7, x8 which of both. Coming back: x0 the result, the words in the same, x1 the
 * badge. With bytes besides, and for as long as it takes: x2 how many, which are in x9 to x15, x3
 * how many may come, and x1 where those belong. Coming back, x2 how many are in those registers, x3
 * how many are in memory already.
 *
 * The usual ones are fast (kernel/ipc/fast.c): that leaves the words' registers alone, so
 * they are in the receiver's hands as soon as the other registers are its own. Who waits so has a
 * frame at the end of its stack of system calls that looks as if it had called arch_switch():
 * whoever wakes it by any other way need not know, and it goes on at .Lcame, with its words out of
 * its block. That return address tells a frame from others.
 *
 * Up to seven machine words of bytes are loaded and stored by user mode itself, on its own account:
 * the kernel looks after the receiver's capacity only (kernel/ipc/fast_bytes.c). A message
 * with bytes that is not fast changes nothing and comes back with 1, which is no result: the
 * caller then makes an ordinary system call of it (kernel/ipc/verify_ipc.c).
 */
#include <arch_level.h>
#include <board.h>
#include <offsets.h>
#include "frames.h"
#include "user.inc"

#define MESSAGE_BADGE 32
#define MESSAGE_DATA  40
#define MESSAGE_SIZE  48 /* its capacity, for another one, behind it */

#define WORDS_OF_BYTES 0x38 /* what is as many bytes as one to seven machine words, and none */

	/* ---- user mode: NAME(object, message, timeout) ---- */

	/* Words of bytes, one an instruction, so that a ladder is entered by how many there are. */
	.macro ladder access, at
	.irp n, 15, 14, 13, 12, 11, 10, 9
	\access x\n, [\at, #8 * (\n - 9)]
	.endr
	.endm

	.macro message_call name, with_bytes, number, bytes_number
	.section .text.\name, "ax"
	.balign 16
	.globl \name
	.type \name, @function
\name:
	ldp x10, x3, [x1, #MESSAGE_SIZE]
	orr x9, x10, x3
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

	/*
	 * With bytes, of which there are as many as each ladder of moves is entered for. Two words
	 * a time, if the number is even.
	 */
2:	cmn w2, #1
	b.ne 5f
	tst x10, #~WORDS_OF_BYTES
	b.ne 5f
	stp x1, x30, [sp, #-16]!
	mov x2, x10
	ldp x4, x5, [x1]
	ldp x6, x7, [x1, #16]
	ldr x1, [x1, #MESSAGE_DATA]
	adr x8, 10f
	tbnz x2, #3, 7f
	sub x8, x8, x2, lsr #2
	br x8
	ldp x13, x14, [x1, #32]
	ldp x11, x12, [x1, #16]
	ldp x9, x10, [x1]
10:	mov x8, #\bytes_number
	adr x30, 1f
	svc #0
1:	cbnz w0, 6f
	ldp x17, x30, [sp], #16
	add x3, x3, x2
	stp x4, x5, [x17]
	stp x6, x7, [x17, #16]
	ldr x8, [x17, #MESSAGE_DATA]
	str x1, [x17, #MESSAGE_BADGE]
	str x3, [x17, #MESSAGE_SIZE]
	adr x3, 4f
	tbnz x2, #3, 8f
	sub x3, x3, x2, lsr #2
	br x3
	stp x13, x14, [x8, #32]
	stp x11, x12, [x8, #16]
	stp x9, x10, [x8]
4:	ret
6:	tbz w0, #31, 9f
	ldp x1, x30, [sp], #16
	ret
9:	mov x0, x1 /* as it was */
	ldp x1, x30, [sp], #16
	mov w2, #-1
5:	b \with_bytes

7:	adr x8, 4f
	sub x8, x8, x2, lsr #1
	br x8
	ladder ldr, x1
4:	b 10b
8:	adr x3, 4f
	sub x3, x3, x2, lsr #1
	br x3
	ladder str, x8
4:	ret
	.size \name, . - \name
	.endm

	message_call user_k_ipc_call, __wrap_user_ipc_call, IPC_CALL, IPC_CALL_BYTES
	message_call user_k_ipc_reply_receive, __wrap_user_ipc_reply_receive, IPC_REPLY_RECEIVE, \
		IPC_REPLY_RECEIVE_BYTES
