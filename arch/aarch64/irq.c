/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupts: the controller (drivers/intc.h), and the line that asks for a switch. */
#include "kernel/base/kernel.h"
#include "drivers/intc.h"

/*
 * A switch became due while a thread had interrupts masked; see arch_request_switch(), which has
 * left word for the end of whichever interrupt comes first.
 */
static void switch_requested(const void *arg)
{
}

/* boot.S calls it. */
void aarch64_irq_init(void);

void aarch64_irq_init(void)
{
	static const STRUCT_SECTION_ITERABLE(irq_static_entry, irq_static_entry, switch_request) = {
		.irq = BOARD_SWITCH_IRQ,
		.entry = {switch_requested, NULL},
	};

	intc_init();
	irq_enable(BOARD_SWITCH_IRQ);
}

int arch_irq_control(enum arch_irq_op op, unsigned int irq, unsigned int value)
{
	if (irq >= ARCH_NUM_IRQS) {
		return -EINVAL;
	}
	switch (op) {
	case ARCH_IRQ_ENABLE:
		intc_enable(irq);
		return 0;
	case ARCH_IRQ_DISABLE:
		intc_disable(irq);
		return 0;
	case ARCH_IRQ_IS_ENABLED:
		return intc_is_enabled(irq);
	case ARCH_IRQ_PRIORITY:
		intc_set_priority(irq, value);
		return 0;
	}
	return -EINVAL;
}
