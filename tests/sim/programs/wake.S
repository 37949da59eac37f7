/* SPDX-License-Identifier: Apache-2.0 */
/* Sleeps until the interrupt chosen by -DSOURCE, ten times, and prints what the handler saw: mcause,
 * clocks from the line's rise to the handler's first instruction, clocks that mcycle counted since
 * before the sleep. A source that only software raises is raised before the sleep, masked. */
#include "soc.h"
#define TIMER    7
#define SOFTWARE 3
#define INJECTED 11
#define DELAY    1000

	.globl main
main:
	addi sp, sp, -16
	sw   ra, 12(sp)
	li   t0, 1 << SOURCE
	csrw mie, t0
	csrsi mstatus, 8
	li   s0, 10
again:
	csrr s4, mcycle
#if SOURCE == TIMER
	li   t0, MTIME
	lw   s1, 0(t0)
	addi s1, s1, DELAY
	li   t0, MTIMECMP
	sw   s1, 0(t0)
	sw   zero, 4(t0)
#elif SOURCE == SOFTWARE
	csrci mstatus, 8
	li   t0, MSIP
	li   t1, 1
	lw   s1, CYCLE(s11)
	sw   t1, 0(t0)
#elif SOURCE == INJECTED
	li   t1, DELAY
	sw   t1, INJECT(s11)
#else
	csrci mstatus, 8
	li   t1, 1 << (SOURCE - 16)
	lw   s1, CYCLE(s11)
	sw   t1, RAISE(s11)
#endif
	wfi
	csrsi mstatus, 8
	nop
	print s2
	print s3
	println s5
	addi s0, s0, -1
	bnez s0, again
	lw   ra, 12(sp)
	addi sp, sp, 16
	li   a0, 0
	ret

	.balign 4
	.globl on_trap
on_trap:
	lw   s3, CYCLE(s11)
	csrr s5, mcycle
	sub  s5, s5, s4
	csrr s2, mcause
#if SOURCE == TIMER
	li   t0, MTIMECMP
	li   t1, -1
	sw   t1, 4(t0)
#elif SOURCE == SOFTWARE
	li   t0, MSIP
	sw   zero, 0(t0)
#elif SOURCE == INJECTED
	lw   s1, INJECT_TIME(s11)
	sw   zero, INJECT_ACK(s11)
#else
	li   t1, 1 << (SOURCE - 16)
	sw   t1, LOWER(s11)
#endif
	sub  s3, s3, s1
	mret
