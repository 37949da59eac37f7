/* SPDX-License-Identifier: Apache-2.0 */
/* See tests/user/attack/attack.h: struct registers. */

#include <arch_width.h>

#define REGS_A(n)   (REGBYTES * (n))
#define REGS_T(n)   (REGBYTES * (8 + (n)))
#define REGS_S(n)   (REGBYTES * (14 + (n)))
#define REGS_SP     (REGBYTES * 26)
#define REGS_GP     (REGBYTES * 27)
#define REGS_TP     (REGBYTES * 28)
#define REGS_OWN_SP (REGBYTES * 29)

	/* s0 points to struct registers throughout: the kernel has to keep it. */
	.macro load_all
	addi sp, sp, -REGBYTES * 16
	REG_S ra, 0(sp)
	REG_S s0, REGBYTES * 1(sp)
	.irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	REG_S s\n, (REGBYTES * (1 + \n))(sp)
	.endr
	REG_S gp, REGBYTES * 13(sp)
	REG_S tp, REGBYTES * 14(sp)
	mv s0, a0
	REG_S sp, REGS_OWN_SP(s0)
	.irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	REG_L s\n, REGS_S(\n)(s0)
	.endr
	.irp n, 0, 1, 2, 3, 4, 5, 6
	REG_L t\n, REGS_T(\n)(s0)
	.endr
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7
	REG_L a\n, REGS_A(\n)(s0)
	.endr
	REG_L sp, REGS_SP(s0)
	REG_L gp, REGS_GP(s0)
	REG_L tp, REGS_TP(s0)
	.endm

	.macro store_all
	.irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	REG_S s\n, REGS_S(\n)(s0)
	.endr
	.irp n, 0, 1, 2, 3, 4, 5, 6
	REG_S t\n, REGS_T(\n)(s0)
	.endr
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7
	REG_S a\n, REGS_A(\n)(s0)
	.endr
	REG_S sp, REGS_SP(s0)
	REG_L sp, REGS_OWN_SP(s0)
	REG_L ra, 0(sp)
	REG_L s0, REGBYTES * 1(sp)
	.irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	REG_L s\n, (REGBYTES * (1 + \n))(sp)
	.endr
	REG_L gp, REGBYTES * 13(sp)
	REG_L tp, REGBYTES * 14(sp)
	addi sp, sp, REGBYTES * 16
	ret
	.endm

	.text
	.option norelax /* gp is anything here */

	/*
	 * A thread's entry: what its registers hold as it begins is the fourth argument, all of
	 * them in one.
	 */
	.globl attack_begin
	.type attack_begin, @function
attack_begin:
	.irp register, a4, a5, a6, a7, t0, t1, t2, t3, t4, t5, t6
	or a3, a3, \register
	.endr
	.irp register, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
	or a3, a3, \register
	.endr
	j attack
	.size attack_begin, . - attack_begin

	.globl attack_trap
	.type attack_trap, @function
attack_trap:
	load_all
	la ra, 1f
	ecall
1:	store_all
	.size attack_trap, . - attack_trap

	.globl attack_jump
	.type attack_jump, @function
attack_jump:
	load_all
	la ra, 1f
	jr t0
1:	store_all
	.size attack_jump, . - attack_jump

	/* Eight bytes each. */
	.macro refused insn:vararg
	.balign 8
	\insn
	ret
	.endm

	.option norvc
	.globl attack_privileged
	.type attack_privileged, @function
attack_privileged:
	slli a0, a0, 3
	la t0, 1f
	add t0, t0, a0
	jr t0
	.balign 8
1:
	refused csrw mstatus, a0
	refused csrr a0, mstatus
	refused csrw mepc, a0
	refused csrr a0, mscratch
	refused csrw mtvec, a0
	refused csrw mie, a0
	refused csrw pmpaddr2, a0
	refused csrw pmpcfg0, zero
	refused csrw 0x747, a0 /* mseccfg */
	refused mret
	refused csrsi mstatus, 8
	refused csrw pmpcfg1, zero
	.size attack_privileged, . - attack_privileged

	/* Of messages in registers, as user.inc has them: k_ipc_call(), k_ipc_reply_receive(). */
	.section .rodata.attack_word_calls, "a"
	.balign 8
	.globl attack_word_calls
	.type attack_word_calls, %object
attack_word_calls:
#if __riscv_xlen == 64
	.dword -1, -2
#else
	.word -1, -2
#endif
	.size attack_word_calls, . - attack_word_calls
