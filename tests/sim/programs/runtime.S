/* SPDX-License-Identifier: Apache-2.0 */
/* What every test program starts with: main returns 0 to pass; a trap goes to `on_trap`, which the
 * program may define and which otherwise reports the trap and fails. */
#include "soc.h"

	.section .text.start
	.globl _start
_start:
	li   sp, RAM + 0x10000
	li   s11, DEVICES
	la   t0, vectors
	csrw mtvec, t0
	call main
	li   t0, FINISHER
	li   t1, PASS
	beqz a0, 1f
	li   t1, FAIL
1:	sw   t1, 0(t0)
2:	j    2b

	.text
	.balign 256
vectors:
	.rept 32
	.option push
	.option norvc
	j    on_trap
	.option pop
	.endr

/* Prints mcause, mepc and mtval, and fails. */
	.weak on_trap
on_trap:
	csrr s0, mcause
	print s0
	csrr s0, mepc
	print s0
	csrr s0, mtval
	println s0
	li   t0, FINISHER
	li   t1, FAIL
	sw   t1, 0(t0)
1:	j    1b

/* a0: character */
	.globl print_character
print_character:
	li   t0, CONSOLE
	sb   a0, 0(t0)
	ret

/* a0: number, printed as eight hexadecimal digits */
	.globl print_hex
print_hex:
	li   t0, CONSOLE
	li   t1, 28
1:	srl  t2, a0, t1
	andi t2, t2, 15
	li   t3, 10
	blt  t2, t3, 2f
	addi t2, t2, 'a' - '0' - 10
2:	addi t2, t2, '0'
	sb   t2, 0(t0)
	addi t1, t1, -4
	bgez t1, 1b
	ret
