/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupt lines: the bits of mie. Machine mode has no priorities among them. */
#include "kernel/base/kernel.h"
#include "vex_lines.h"

#define MIE_MSIE 3U

/* A switch that became due while a thread had interrupts masked; see arch_request_switch(). */
static void switch_requested(const void *arg)
{
	*(volatile uint32_t *)BOARD_MSIP = 0;
	(void)*(volatile uint32_t *)BOARD_MSIP; /* it has arrived: not taken again by the mret */
	k_cpu.arch.switch_pending = 1;
}

/* boot.S calls it. */
void riscv_irq_init(void);

void riscv_irq_init(void)
{
	static const STRUCT_SECTION_ITERABLE(irq_static_entry, irq_static_entry, switch_request) = {
		.irq = MIE_MSIE,
		.entry = {switch_requested, NULL},
	};

	irq_enable(MIE_MSIE);
	riscv_vex_lines_init();
}

int arch_irq_control(enum arch_irq_op op, unsigned int irq, unsigned int value)
{
	uintptr_t bit = 1UL << (irq & 31U);
	uintptr_t enabled;

	if (irq >= ARCH_NUM_IRQS) {
		return -EINVAL;
	}
	if (riscv_is_vex_line(irq)) {
		return riscv_vex_line_control(op, bit);
	}
	switch (op) {
	case ARCH_IRQ_ENABLE:
		__asm__ volatile("csrs mie, %0" ::"r"(bit) : "memory");
		return 0;
	case ARCH_IRQ_DISABLE:
		__asm__ volatile("csrc mie, %0" ::"r"(bit) : "memory");
		return 0;
	case ARCH_IRQ_IS_ENABLED:
		__asm__ volatile("csrr %0, mie" : "=r"(enabled));
		return (enabled & bit) != 0;
	case ARCH_IRQ_PRIORITY:
		return 0;
	}
	return -EINVAL;
}
