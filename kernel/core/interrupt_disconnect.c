/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines that get rid of their handler: a file of its own, so that who keeps them does not pay for
 * it.
 */
#include "kernel/core/interrupt.h"

CALLS_DIRECTLY(k_fatal_raise);

static void spurious(const void *arg)
{
	k_fatal_raise(K_ERR_SPURIOUS_IRQ);
}

int irq_disconnect_dynamic(unsigned int irq, unsigned int priority, irq_handler_t handler,
			   const void *arg, uint32_t flags)
{
	unsigned int key;

	if (irq >= ARCH_NUM_IRQS) {
		return -EINVAL;
	}
	key = arch_irq_lock();
	if (irq_table[irq].handler == handler && irq_table[irq].arg == arg) {
		irq_table[irq] = (struct irq_entry){spurious, NULL};
	}
	arch_irq_unlock(key);
	return 0;
}
