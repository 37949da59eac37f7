/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arch_fault_raise(reason, cause, pc, where): an undefined instruction, so that the report runs
 * on the main stack, with all registers as they are. fault.c finds the arguments in the
 * exception frame. (A supervisor call would not do: it cannot be made with interrupts
 * masked.)
 */
	.syntax unified
	.thumb

	.section .text.arch_fault_raise, "ax"
	.globl arch_fault_raise
	.type arch_fault_raise, %function
arch_fault_raise:
	udf #0
	b arch_fault_raise
	.size arch_fault_raise, . - arch_fault_raise
