/* SPDX-License-Identifier: Apache-2.0 */
/* Never ends: a mixture of arithmetic, branches, loads and stores. */
#include "soc.h"

	.globl main
main:
	la   s0, words
	li   s1, 1
	li   s2, 0x41C64E6D
spin:
	mul  s1, s1, s2
	addi s1, s1, 1021
	andi t0, s1, 0xFC
	add  t0, t0, s0
	lw   t1, 0(t0)
	xor  t1, t1, s1
	sw   t1, 0(t0)
	andi t2, t1, 1
	beqz t2, spin
	srli t1, t1, 3
	j    spin

	.bss
	.balign 4
words:	.space 256
