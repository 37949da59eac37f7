/* SPDX-License-Identifier: Apache-2.0 */
/* From reset to the kernel: registers, memory, vectors. */

#include <arch_width.h>

	.section .text.boot, "ax"
	.globl _start
	.type _start, @function
_start:
	.option push
	.option norelax
	la gp, __global_pointer$
	.option pop
	la sp, riscv_isr_stack_top
	la t0, riscv_vectors + 1 /* vectored */
	csrw mtvec, t0
	csrw mie, zero
	csrw mscratch, zero /* machine mode: user.inc */
#ifdef CONFIG_USERSPACE
	li tp, 0
#endif
	la t0, _bss_start
	la t1, _bss_end
1:	bgeu t0, t1, 2f
	REG_S zero, 0(t0)
	addi t0, t0, REGBYTES
	j 1b
2:	call riscv_irq_init
	tail kernel_start
	.size _start, . - _start
