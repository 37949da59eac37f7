/* SPDX-License-Identifier: Apache-2.0 */
/* The second UART at 40 clocks a bit. Prints its status: idle; one byte on the wire; 34 bytes offered
 * at once (1 on the wire, 32 queued, 1 lost). Then sleeps until the FIFO is empty, prints the clocks
 * that took, waits for the wire, prints the clocks of that, and the status. */
#include "soc.h"
#define FAST14 30

	.globl main
main:
	mv   s10, ra
	li   s0, UART2
	lw   s1, UART2_STATUS(s0)
	println s1
	li   t0, 40
	sw   t0, UART2_DIVISOR(s0)
	li   t0, 'A'
	li   t1, 34
	lw   s2, CYCLE(s11)
	sw   t0, UART2_DATA(s0)
	lw   s1, UART2_STATUS(s0)   /* just queued */
	lw   s4, UART2_STATUS(s0)   /* on the wire */
1:	addi t0, t0, 1
	addi t1, t1, -1
	beqz t1, 2f
	sw   t0, UART2_DATA(s0)
	j    1b
2:	lw   s5, UART2_STATUS(s0)
	sw   zero, UART2_STATUS(s0)
	lw   s6, UART2_STATUS(s0)

	li   t0, 1
	sw   t0, UART2_CONTROL(s0)
	li   t0, 1 << FAST14
	csrw mie, t0
	wfi                         /* interrupts are masked: only wakes */
	lw   s3, CYCLE(s11)
	csrr s7, mip
3:	lw   t0, UART2_STATUS(s0)
	andi t0, t0, 4
	bnez t0, 3b
	lw   s8, CYCLE(s11)
	print s1
	println s4
	print s5
	println s6
	sub  s3, s3, s2
	sub  s8, s8, s2
	print s3
	print s8
	println s7
	lw   s1, UART2_STATUS(s0)
	println s1
	mv   ra, s10
	li   a0, 0
	ret
