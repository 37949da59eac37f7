/* SPDX-License-Identifier: Apache-2.0 */
/* See tests/user/attack/attack.h: struct registers. */

#define REGS_A(n)   (4 * (n))
#define REGS_T(n)   (32 + 4 * (n))
#define REGS_S(n)   (60 + 4 * ((n) - 1))
#define REGS_SP     104
#define REGS_GP     108
#define REGS_TP     112
#define REGS_OWN_SP 116

	/* s0 points to struct registers throughout: the kernel has to keep it. */
	.macro load_all
	addi sp, sp, -64
	sw ra, 0(sp)
	sw s0, 4(sp)
	.irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	sw s\n, (4 + 4 * \n)(sp)
	.endr
	sw gp, 52(sp)
	sw tp, 56(sp)
	mv s0, a0
	sw sp, REGS_OWN_SP(s0)
	.irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	lw s\n, REGS_S(\n)(s0)
	.endr
	.irp n, 0, 1, 2, 3, 4, 5, 6
	lw t\n, REGS_T(\n)(s0)
	.endr
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7
	lw a\n, REGS_A(\n)(s0)
	.endr
	lw sp, REGS_SP(s0)
	lw gp, REGS_GP(s0)
	lw tp, REGS_TP(s0)
	.endm

	.macro store_all
	.irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	sw s\n, REGS_S(\n)(s0)
	.endr
	.irp n, 0, 1, 2, 3, 4, 5, 6
	sw t\n, REGS_T(\n)(s0)
	.endr
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7
	sw a\n, REGS_A(\n)(s0)
	.endr
	sw sp, REGS_SP(s0)
	lw sp, REGS_OWN_SP(s0)
	lw ra, 0(sp)
	lw s0, 4(sp)
	.irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	lw s\n, (4 + 4 * \n)(sp)
	.endr
	lw gp, 52(sp)
	lw tp, 56(sp)
	addi sp, sp, 64
	ret
	.endm

	.text
	.option norelax /* gp is anything here */

	/* A thread's entry: what its registers hold as it begins is the fourth argument, all of them in one. */
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
