/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See tests/user/attack/attack.h: struct registers. a[0] to a[5] are rdi, rsi, rdx, r10, r8 and r9,
 * a[7] is the call's number in eax, s[0] to s[4] are rbp and r12 to r15; rbx points to the struct
 * throughout. Afterwards a[0] is the result, a[6] what rdi holds, and t[0] and t[1] what r11 and
 * rcx hold that they should not. Of the flags some are set before, by luck, which the kernel has to
 * survive and to take back.
 */

#define REGS_A(n)   (8 * (n))
#define REGS_T(n)   (64 + 8 * (n))
#define REGS_S(n)   (120 + 8 * (n))
#define REGS_SP     208
#define REGS_OWN_SP 232

#define RFLAGS_BEGUN 0x202
#define RFLAGS_LUCK  0x244400 /* ID, AC, NT, DF */

	.macro load_all
	.irp register, rbx, rbp, r12, r13, r14, r15
	pushq %\register
	.endr
	movq %rdi, %rbx
	movq %rsp, REGS_OWN_SP(%rbx)
	movq REGS_A(1)(%rbx), %rsi
	movq REGS_A(2)(%rbx), %rdx
	movq REGS_A(3)(%rbx), %r10
	movq REGS_A(4)(%rbx), %r8
	movq REGS_A(5)(%rbx), %r9
	movq REGS_S(0)(%rbx), %rbp
	movq REGS_S(1)(%rbx), %r12
	movq REGS_S(2)(%rbx), %r13
	movq REGS_S(3)(%rbx), %r14
	movq REGS_S(4)(%rbx), %r15
	movq REGS_A(0)(%rbx), %rdi
	movq REGS_A(7)(%rbx), %rax
	.endm

	.macro store_all
	movq %rbp, REGS_S(0)(%rbx)
	movq %r12, REGS_S(1)(%rbx)
	movq %r13, REGS_S(2)(%rbx)
	movq %r14, REGS_S(3)(%rbx)
	movq %r15, REGS_S(4)(%rbx)
	movq %rax, REGS_A(0)(%rbx)
	movq %rsi, REGS_A(1)(%rbx)
	movq %rdx, REGS_A(2)(%rbx)
	movq %r10, REGS_A(3)(%rbx)
	movq %r8, REGS_A(4)(%rbx)
	movq %r9, REGS_A(5)(%rbx)
	movq %rdi, REGS_A(6)(%rbx)
	movq %rsp, REGS_SP(%rbx)
	movq REGS_OWN_SP(%rbx), %rsp
	cld
	.irp register, r15, r14, r13, r12, rbp, rbx
	popq %\register
	.endr
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
	movq %r11, %rcx
	xorq $RFLAGS_BEGUN, %rcx
	.irp register, rax, rbx, rbp, r8, r9, r10, r12, r13, r14, r15
	orq %\register, %rcx
	.endr
	.irp register, ds, es, fs, gs
	movl %\register, %eax
	orq %rax, %rcx
	.endr
	movl $0x1b, %eax
	movl %eax, %gs /* for whoever comes next to find */
	jmp attack
	.size attack_begin, . - attack_begin

	.globl attack_trap
	.type attack_trap, @function
attack_trap:
	load_all
	movq REGS_T(2)(%rbx), %rcx
	andl $RFLAGS_LUCK, %ecx
	orl $RFLAGS_BEGUN, %ecx
	pushq %rcx
	popfq
	movq REGS_SP(%rbx), %rsp
	syscall
1:	leaq 1b(%rip), %r11
	subq %r11, %rcx
	movq %rcx, REGS_T(1)(%rbx)
	movq $0, REGS_T(0)(%rbx)
	store_all
	.size attack_trap, . - attack_trap

	/*
	 * A message with bytes: the first of them are in rbx, which is s[5], and rsp points to the
	 * struct meanwhile.
	 */
	.globl attack_trap_bytes
	.type attack_trap_bytes, @function
attack_trap_bytes:
	load_all
	movq %rbx, %rsp
	movq REGS_S(5)(%rsp), %rbx
	syscall
1:	movq %rbx, REGS_S(5)(%rsp)
	movq %rsp, %rbx
	leaq 1b(%rip), %r11
	subq %r11, %rcx
	movq %rcx, REGS_T(1)(%rbx)
	movq $0, REGS_T(0)(%rbx)
	store_all
	.size attack_trap_bytes, . - attack_trap_bytes

	.globl attack_jump
	.type attack_jump, @function
attack_jump:
	load_all
	movq REGS_T(0)(%rbx), %r11
	movq REGS_SP(%rbx), %rsp
	pushq $1f
	jmp *%r11
1:	store_all
	.size attack_jump, . - attack_jump

	/* Eight bytes each. */
	.macro refused insn:vararg
	.balign 8
	\insn
	ret
	.endm

	.globl attack_privileged
	.type attack_privileged, @function
attack_privileged:
	leaq 1f(%rip), %rax
	movl %edi, %edi
	leaq (%rax, %rdi, 8), %rax
	xorl %ecx, %ecx
	jmp *%rax
	.balign 8
1:
	refused movq %rax, %cr3
	refused movq %cr4, %rax
	refused rdmsr
	refused wrmsr
	refused hlt
	refused cli
	refused inb $0x21, %al
	refused outb %al, $0xf4 /* ends the machine */
	refused lgdt (%rsp)
	refused int $0x20
	refused sysretq
	refused invlpg (%rsp)
	.size attack_privileged, . - attack_privileged

	/* Of messages in registers, as user.inc has them: k_ipc_call(), k_ipc_reply_receive(). */
	.section .rodata.attack_word_calls, "a"
	.balign 8
	.globl attack_word_calls
	.type attack_word_calls, @object
attack_word_calls:
	.quad -1, -2
	.size attack_word_calls, . - attack_word_calls

	.section .note.GNU-stack, "", @progbits
