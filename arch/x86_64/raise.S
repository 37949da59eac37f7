/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arch_fault_raise(reason, cause, pc, where): a trap, so that the report runs on the interrupt
 * stack, with all registers as they are. fault.c finds the arguments in the frame.
 */
#ifdef CONFIG_USERSPACE
	.section .user_text.arch_fault_raise, "ax" /* user mode's canaries come here, too */
#else
	.section .text.arch_fault_raise, "ax"
#endif
	.globl arch_fault_raise
	.type arch_fault_raise, @function
arch_fault_raise:
	ud2
	.size arch_fault_raise, . - arch_fault_raise

	.section .note.GNU-stack, "", @progbits
