/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See tests/user/attack/attack.h: struct registers. a[0] to a[6] are x0 to x6, a[7] is the call's
 * number in x8, t[0] to t[6] are x9 to x15, s[0] to s[9] x20 to x29, tp is x18; x19 points to the
 * struct throughout. x7, x16 and x17 begin as t[0], and whichever holds something else afterwards
 * is shown as t[0].
 */

#define REGS_A(n)   (8 * (n))
#define REGS_T(n)   (64 + 8 * (n))
#define REGS_S(n)   (120 + 8 * (n))
#define REGS_SP     208
#define REGS_TP     224
#define REGS_OWN_SP 232

	.macro load_all
	stp x19, x20, [sp, #-112]!
	stp x21, x22, [sp, #16]
	stp x23, x24, [sp, #32]
	stp x25, x26, [sp, #48]
	stp x27, x28, [sp, #64]
	stp x29, x30, [sp, #80]
	str x18, [sp, #96]
	mov x19, x0
	mov x0, sp
	str x0, [x19, #REGS_OWN_SP]
	ldr x0, [x19, #REGS_SP]
	ldr x18, [x19, #REGS_TP]
	ldp x20, x21, [x19, #REGS_S(0)]
	ldp x22, x23, [x19, #REGS_S(2)]
	ldp x24, x25, [x19, #REGS_S(4)]
	ldp x26, x27, [x19, #REGS_S(6)]
	ldp x28, x29, [x19, #REGS_S(8)]
	ldp x9, x10, [x19, #REGS_T(0)]
	ldp x11, x12, [x19, #REGS_T(2)]
	ldp x13, x14, [x19, #REGS_T(4)]
	ldr x15, [x19, #REGS_T(6)]
	mov x7, x9
	mov x16, x9
	mov x17, x9
	ldr x8, [x19, #REGS_A(7)]
	mov sp, x0
	ldp x0, x1, [x19, #REGS_A(0)]
	ldp x2, x3, [x19, #REGS_A(2)]
	ldp x4, x5, [x19, #REGS_A(4)]
	ldr x6, [x19, #REGS_A(6)]
	.endm

	.macro store_all
	stp x0, x1, [x19, #REGS_A(0)]
	ldr x0, [x19, #REGS_T(0)] /* as it was given */
	.irp register, x7, x16, x17
	cmp \register, #0
	ccmp \register, x0, #4, ne
	csel x9, x9, \register, eq
	.endr
	stp x2, x3, [x19, #REGS_A(2)]
	stp x4, x5, [x19, #REGS_A(4)]
	stp x6, x8, [x19, #REGS_A(6)]
	stp x9, x10, [x19, #REGS_T(0)]
	stp x11, x12, [x19, #REGS_T(2)]
	stp x13, x14, [x19, #REGS_T(4)]
	str x15, [x19, #REGS_T(6)]
	stp x20, x21, [x19, #REGS_S(0)]
	stp x22, x23, [x19, #REGS_S(2)]
	stp x24, x25, [x19, #REGS_S(4)]
	stp x26, x27, [x19, #REGS_S(6)]
	stp x28, x29, [x19, #REGS_S(8)]
	mov x0, sp
	str x0, [x19, #REGS_SP]
	ldr x0, [x19, #REGS_OWN_SP]
	mov sp, x0
	ldr x18, [sp, #96]
	ldp x29, x30, [sp, #80]
	ldp x27, x28, [sp, #64]
	ldp x25, x26, [sp, #48]
	ldp x23, x24, [sp, #32]
	ldp x21, x22, [sp, #16]
	ldp x19, x20, [sp], #112
	ret
	.endm

	.text

	/*
	 * A thread's entry: what its registers hold as it begins is the fourth argument, all of
	 * them in one.
	 */
	.globl attack_begin
	.type attack_begin, @function
attack_begin:
	.irp register, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, x17
	orr x3, x3, \register
	.endr
	.irp register, x19, x20, x21, x22, x23, x24, x25, x26, x27, x28, x29
	orr x3, x3, \register
	.endr
	mrs x4, tpidr_el0
	orr x3, x3, x4
	b attack
	.size attack_begin, . - attack_begin

	.globl attack_trap
	.type attack_trap, @function
attack_trap:
	load_all
	adr x30, 1f
	svc #0
1:	store_all
	.size attack_trap, . - attack_trap

	.globl attack_jump
	.type attack_jump, @function
attack_jump:
	load_all
	adr x30, 2f
	br x9
2:	store_all
	.size attack_jump, . - attack_jump

	/* Eight bytes each. */
	.macro refused insn:vararg
	\insn
	ret
	.endm

	.globl attack_privileged
	.type attack_privileged, @function
attack_privileged:
	adr x1, 1f
	add x1, x1, w0, uxtw #3
	br x1
1:
	refused msr sctlr_el1, x0
	refused mrs x0, sctlr_el1
	refused msr elr_el1, x0
	refused mrs x0, spsr_el1
	refused msr vbar_el1, x0
	refused msr daifset, #2
	refused msr ttbr0_el1, x0
	refused msr tcr_el1, x0
	refused tlbi vmalle1
	refused eret
	refused msr sp_el0, x0
	refused msr cpacr_el1, x0
	.size attack_privileged, . - attack_privileged

	/* Of messages in registers, as user.inc has them: k_ipc_call(), k_ipc_reply_receive(). */
	.section .rodata.attack_word_calls, "a"
	.balign 8
	.globl attack_word_calls
	.type attack_word_calls, %object
attack_word_calls:
	.quad -1, -2
	.size attack_word_calls, . - attack_word_calls
