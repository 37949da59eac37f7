/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See tests/user/attack/attack.h: struct registers. a[0] to a[3] are r0 to r3, a[7] is the
 * call's number in r12, s[0] to s[6] are r4 to r10; r11 points to the struct throughout.
 */

#define REGS_A(n)   (4 * (n))
#define REGS_T(n)   (32 + 4 * (n))
#define REGS_S      60
#define REGS_SP     104
#define REGS_GP     108
#define REGS_OWN_SP 116

	.syntax unified
	.thumb
	.text

	.macro load_all
	push {r4, r5, r6, r7, r8, r9, r10, r11, lr}
	mov r11, r0
	str sp, [r11, #REGS_OWN_SP]
	add r12, r11, #REGS_S
	ldmia r12, {r4, r5, r6, r7, r8, r9, r10}
	.endm

	.macro store_all
	add r12, r11, #REGS_S
	stmia r12, {r4, r5, r6, r7, r8, r9, r10}
	ldr sp, [r11, #REGS_OWN_SP]
	pop {r4, r5, r6, r7, r8, r9, r10, r11, pc}
	.endm

	/*
	 * A thread's entry: what its registers hold as it begins is the fourth argument, all of
	 * them in one.
	 */
	.balign 4
	.globl attack_begin
	.type attack_begin, %function
	.thumb_func
attack_begin:
	bic r3, r3, #3 /* what CONTROL was set to, which is a constant */
	.irp n, 4, 5, 6, 7, 8, 9, 10, 11
	orr r3, r3, r\n
	.endr
	b attack
	.size attack_begin, . - attack_begin

	.balign 4
	.globl attack_trap
	.type attack_trap, %function
	.thumb_func
attack_trap:
	load_all
	/* The core pushes a frame there: the struct's own address stands for the stack as it is. */
	ldr r0, [r11, #REGS_SP]
	cmp r0, r11
	it ne
	movne sp, r0
	ldr lr, =1f + 1
	ldr r12, [r11, #REGS_A(7)]
	ldmia r11, {r0, r1, r2, r3}
	svc #0
	.balign 4
1:	str r0, [r11, #REGS_A(0)]
	mov lr, #0
	str lr, [r11, #REGS_GP]
	/*
	 * Of a message in registers r2 is the badge, which is a[6] afterwards, r12 that or the
	 * number, r3 0 or as it was; or, with bytes, how many have come, which is a[5] then, and is
	 * kept in gp until there.
	 */
	ldr r0, [r11, #REGS_A(7)]
	cmp r0, #0x7D0
	it ne
	cmpne r0, #0x7C0
	bne 3f
	str r3, [r11, #REGS_GP]
	mov r3, #0
	b 4f
3:	cmp r0, #0x7F0
	it ne
	cmpne r0, #0x7E0
	bne 2f
4:	mov lr, r2
	cmp r12, r2
	it eq
	moveq r12, r0
	ldr r2, [r11, #REGS_A(2)]
	cmp r3, #0
	it eq
	ldreq r3, [r11, #REGS_A(3)]
2:	/*
	 * r2 and r3 come back as they were, r12 as r2, and r1 is a constant; after a fast path r12
	 * and r1 are as they were, too: what else is there is left over.
	 */
	ldr r0, [r11, #REGS_A(1)]
	cmp r1, r0
	it eq
	moveq r1, #0
	bic r1, r1, #3
	ldr r0, [r11, #REGS_A(7)]
	cmp r12, r0
	ldr r0, [r11, #REGS_A(2)]
	it eq
	moveq r12, r0
	eor r2, r2, r0
	eor r12, r12, r0
	ldr r0, [r11, #REGS_A(3)]
	eor r3, r3, r0
	orr r1, r1, r2
	orr r1, r1, r3
	orr r1, r1, r12
	str r1, [r11, #REGS_A(1)]
	mov r0, #0
	.irp n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
	str r0, [r11, #REGS_A(\n)] /* and t[0] to t[6] behind */
	.endr
	str lr, [r11, #REGS_A(6)]
	ldr r0, [r11, #REGS_GP]
	str r0, [r11, #REGS_A(5)]
	ldr r0, [r11, #REGS_SP]
	cmp r0, r11
	it ne
	strne sp, [r11, #REGS_SP]
	store_all
	.size attack_trap, . - attack_trap

	.balign 4
	.globl attack_jump
	.type attack_jump, %function
	.thumb_func
attack_jump:
	load_all
	ldr sp, [r11, #REGS_SP]
	ldr r12, [r11, #REGS_T(0)]
	ldr lr, =2f + 1
	ldmia r11, {r0, r1, r2, r3}
	bx r12
	.balign 4
2:	store_all
	.size attack_jump, . - attack_jump

	/* They are ignored, all of them: so the end is a fault, unless one was not. */
	.balign 4
	.globl attack_privileged
	.type attack_privileged, %function
	.thumb_func
attack_privileged:
	mov r1, #0
	cpsid i
	msr basepri, r0
	msr primask, r0
	msr faultmask, r0
	msr msp, r0
	msr control, r1
	isb
	mrs r1, control
	tst r1, #1
	it eq
	bxeq lr
	udf #0
	.size attack_privileged, . - attack_privileged

	/* Of messages in registers, as user.inc has them: k_ipc_call(), k_ipc_reply_receive(). */
	.section .rodata.attack_word_calls, "a"
	.balign 4
	.globl attack_word_calls
	.type attack_word_calls, %object
attack_word_calls:
	.word 0x7F0, 0x7E0
	.size attack_word_calls, . - attack_word_calls
