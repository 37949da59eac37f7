/* SPDX-License-Identifier: Apache-2.0 */
/* A trap whose handler cannot run: KIND 0, the vector cannot be fetched; KIND 1, the handler's own
 * store traps. KIND 2 is no lock-up: exceptions without number, each with its return. */
#include "soc.h"

	.globl main
main:
#if KIND == 0
	li   t0, 0x20000000
	csrw mtvec, t0
#endif
	li   s0, 5000
	li   sp, 0x20000000
again:
	ecall
	addi s0, s0, -1
	bnez s0, again
	li   a0, 0
	li   t0, FINISHER
	li   t1, PASS
	sw   t1, 0(t0)

	.globl on_trap
on_trap:
#if KIND == 1
	addi sp, sp, -64
	sw   ra, 0(sp)
#endif
	csrr t0, mepc
	addi t0, t0, 4
	csrw mepc, t0
	mret
