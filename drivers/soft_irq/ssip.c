/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The supervisor software interrupt, which machine mode may raise for itself by a CSR
 * write and takes itself as long as it is not delegated. The machine software
 * interrupt is the kernel's own (arch/riscv/irq.c).
 */
#include "drivers/soft_irq.h"

void soft_irq_raise(void)
{
	__asm__ volatile("csrsi mip, 2" ::: "memory");
}

void soft_irq_clear(void)
{
	__asm__ volatile("csrci mip, 2" ::: "memory");
}
