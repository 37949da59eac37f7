/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The floor of user mode: see suites/floor/floor.h. Calls have numbers that
 * the kernel's have not, -3 to -1, and come first; whatever else arrives goes on to the kernel's
 * handlers, with the registers that those look at.
 *
 * gp may be anything in user mode, and is not needed: addresses are absolute.
 */
#include <board.h>
#include <arch_indexed.inc>

#define ECALL_FROM_USER 8

#if __riscv_xlen == 64 /* where floor_regions_read() keeps pmpcfg0, or would */
#define FIRST_CONFIGURATION 14
#else
#define FIRST_CONFIGURATION 13
#endif

	.option norelax

	.macro function name
	.section .text.\name, "ax"
	.balign 16
	.globl \name
	.type \name, @function
\name:
	.endm

	/* In user mode. As a function does: the handler returns where ra says. */
	function floor_call_null
	li a7, -3
	ecall

	function floor_call_checked /* a0 object */
	li a7, -2
	ecall

	function floor_call_copy /* a0 to */
	li a7, -1
	ecall

	.section .text.floor_user_vectors, "ax"
	.balign 256
	.option push
	.option norvc
	.globl floor_vectors_calls
floor_vectors_calls:
	j exception
	.rept 31
	j riscv_interrupt
	.endr
	.option pop

	.balign 16
exception:
	csrrw sp, mscratch, sp /* the end of the stack of its calls, or 0 out of machine mode */
	beqz sp, kernels
	csrr t0, mcause
	addi t0, t0, -ECALL_FROM_USER
	bnez t0, kernels
	li t0, -4
	bgeu t0, a7, kernels
	slli a7, a7, REGSHIFT
	load_indexed t0, calls_end, a7
	jr t0
kernels:
	csrrw sp, mscratch, sp
	j riscv_user_exception

	.section .rodata.floor_calls, "a"
	.balign REGBYTES
	REG_DATA null, checked, copy
calls_end:

	.section .text.floor_calls, "ax"
	.macro back_to_user
	csrw mepc, ra
	csrrw sp, mscratch, sp
	li t0, 0
	mret
	.endm

	.balign 16
null:
	li a0, 0
	back_to_user

	.balign 16
checked:
	li t0, BOARD_RAM_BASE
	xor t0, t0, a0
	li t1, BOARD_RAM_SIZE /* powers of two */
	bgeu t0, t1, 1f
	lbu t1, 0(a0) /* the index, if it is one; a byte is always aligned */
	andi t1, t1, 63 /* FLOOR_OBJECTS: an entry that is another's does not lead back */
	slli t1, t1, REGSHIFT
	load_indexed t0, floor_objects, t1
	li t1, 0
	bne t0, a0, 1f
	li a0, 0
	back_to_user
1:	li t1, 0
	li a0, -1
	back_to_user

	.balign 16
copy:
#if __riscv_xlen == 64
	la t0, floor_range
	ld t1, 0(t0)
	ld t0, 8(t0)
#else
	lui t0, %hi(floor_range)
	lw t1, %lo(floor_range)(t0)
	lw t0, %lo(floor_range + 4)(t0)
#endif
	sub t1, a0, t1
	bltu t0, t1, 1f
#if __riscv_xlen == 64
	lw t0, floor_word
#else
	lui t0, %hi(floor_word)
	lw t0, %lo(floor_word)(t0)
#endif
	sw t0, 0(a0)
	li t1, 0
	li a0, 0
	back_to_user
1:	li t1, 0
	li a0, -1
	back_to_user

	/*
	 * The entries from 2 on: what is below never changes (pmp.c). pmpaddr2 ..., then pmpcfg1
	 * (RV64: 0) ...
	 */
	.macro each_address instruction:vararg
	\instruction 2
	\instruction 3
	.endm
	.macro each_other instruction:vararg
	\instruction 4
	\instruction 5
	\instruction 6
	\instruction 7
#if BOARD_PMP_ENTRIES > 8
	\instruction 8
	\instruction 9
	\instruction 10
	\instruction 11
	\instruction 12
	\instruction 13
	\instruction 14
	\instruction 15
#endif
	.endm
	.macro each_configuration instruction:vararg
#if __riscv_xlen == 64 /* each register has eight entries, and an even number */
	\instruction 0
#if BOARD_PMP_ENTRIES > 8
	\instruction 2
#endif
#else
	\instruction 1
#if BOARD_PMP_ENTRIES > 8
	\instruction 2
	\instruction 3
#endif
#endif
	.endm
	.macro read_address n
	csrr t0, pmpaddr\n
	REG_S t0, (\n - 2) * REGBYTES(a0)
	.endm
	.macro write_address n
	REG_L t0, (\n - 2) * REGBYTES(a0)
	csrw pmpaddr\n, t0
	.endm
	.macro read_configuration n
	csrr t0, pmpcfg\n
	REG_S t0, (FIRST_CONFIGURATION + \n) * REGBYTES(a0)
	.endm
	.macro write_configuration n
	REG_L t0, (FIRST_CONFIGURATION + \n) * REGBYTES(a0)
	csrw pmpcfg\n, t0
	.endm

	function floor_regions_read
	each_address read_address
	each_other read_address
	each_configuration read_configuration
	ret

	/* Two loads first: what is loaded can't be used at once. */
	function floor_regions_write_stack
	REG_L t0, 0(a0)
	REG_L t1, REGBYTES * 1(a0)
	csrw pmpaddr2, t0
	csrw pmpaddr3, t1
	ret

	function floor_regions_write_all
	REG_L t0, 0(a0)
	REG_L t1, REGBYTES * 1(a0)
	csrw pmpaddr2, t0
	csrw pmpaddr3, t1
	each_other write_address
	each_configuration write_configuration
	ret
