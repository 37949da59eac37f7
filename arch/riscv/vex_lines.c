/* SPDX-License-Identifier: Apache-2.0 */
/* VexRiscv's external interrupts: see vex_lines.h. The control registers are the core's own. */
#include "kernel/base/kernel.h"
#include "lib/bits.h"
#include "vex_lines.h"

#define MIE_MEIE 11U

/*
 * The cause's handler calls that of the lowest line, whose number is its place: one a trap, as
 * the core would do it. None is there any more when a line fell while the trap was taken.
 */
static void external(const void *arg)
{
	const struct irq_entry *entry;
	uint32_t pending;

	__asm__ volatile("csrr %0, 0xfc0" : "=r"(pending)::"memory");
	if (pending == 0) {
		return;
	}
	entry = &irq_table[lowest_bit(pending)];
	entry->handler(entry->arg);
}

void riscv_vex_lines_init(void)
{
	static const STRUCT_SECTION_ITERABLE(irq_static_entry, irq_static_entry, vex_external) = {
		.irq = MIE_MEIE,
		.entry = {external, NULL},
	};

	__asm__ volatile("csrw 0xbc0, zero" ::: "memory");
	irq_enable(MIE_MEIE);
}

int riscv_vex_line_control(enum arch_irq_op op, uint32_t bit)
{
	uint32_t enabled;

	switch (op) {
	case ARCH_IRQ_ENABLE:
		__asm__ volatile("csrs 0xbc0, %0" ::"r"(bit) : "memory");
		return 0;
	case ARCH_IRQ_DISABLE:
		__asm__ volatile("csrc 0xbc0, %0" ::"r"(bit) : "memory");
		return 0;
	case ARCH_IRQ_IS_ENABLED:
		__asm__ volatile("csrr %0, 0xbc0" : "=r"(enabled));
		return (enabled & bit) != 0;
	case ARCH_IRQ_PRIORITY:
		return 0;
	}
	return -EINVAL;
}
