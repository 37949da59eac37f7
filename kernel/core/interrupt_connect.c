/* SPDX-License-Identifier: Apache-2.0 */
/* The table of interrupt handlers, and what is the same on every port about it. */
#include <board.h>
#include "kernel/core/interrupt.h"
#include "drivers/soft_irq.h"

CALLS_DIRECTLY(k_fatal_raise);

struct irq_entry irq_table[ARCH_NUM_IRQS] ARCH_IRQ_TABLE;

static void spurious(const void *arg)
{
	k_fatal_raise(K_ERR_SPURIOUS_IRQ);
}

void irq_init(void)
{
	for (unsigned int i = 0; i < ARCH_NUM_IRQS; i++) {
		irq_table[i].handler = spurious;
	}
	STRUCT_SECTION_FOREACH(irq_static_entry, irq_static_entry, e) {
		irq_table[e->irq] = e->entry;
	}
}

int irq_connect_dynamic(unsigned int irq, unsigned int priority, irq_handler_t handler,
			const void *arg, uint32_t flags)
{
	unsigned int key;

	if (irq >= ARCH_NUM_IRQS) {
		return -EINVAL;
	}
	key = arch_irq_lock();
	irq_table[irq] = (struct irq_entry){handler, arg};
	arch_irq_unlock(key);
	irq_priority_set(irq, priority);
	return (int)irq;
}

void irq_enable(unsigned int irq)
{
	(void)arch_irq_control(ARCH_IRQ_ENABLE, irq, 0);
}

void irq_disable(unsigned int irq)
{
	(void)arch_irq_control(ARCH_IRQ_DISABLE, irq, 0);
}

int irq_is_enabled(unsigned int irq)
{
	return arch_irq_control(ARCH_IRQ_IS_ENABLED, irq, 0) > 0;
}

void irq_priority_set(unsigned int irq, unsigned int priority)
{
	(void)arch_irq_control(ARCH_IRQ_PRIORITY, irq, priority);
}

static struct {
	irq_handler_t routine;
	const void *arg;
	volatile bool done;
} offload;

static void run_offloaded(const void *arg)
{
	soft_irq_clear();
	offload.routine(offload.arg);
	offload.done = true;
}

/*
 * A real interrupt, so that what runs in it is no special case of any port: the board's
 * software-raised line is borrowed for one round and given back as it was.
 */
void irq_offload(irq_handler_t routine, const void *arg)
{
	unsigned int key = arch_irq_lock();
	struct irq_entry borrowed = irq_table[BOARD_SOFT_IRQ];
	bool enabled = irq_is_enabled(BOARD_SOFT_IRQ) != 0;

	K_ASSERT(!arch_in_isr(), "irq-offload-in-isr");
	offload.routine = routine;
	offload.arg = arg;
	offload.done = false;
	irq_table[BOARD_SOFT_IRQ] = (struct irq_entry){run_offloaded, NULL};
	irq_enable(BOARD_SOFT_IRQ);
	soft_irq_raise();
	arch_irq_unlock(ARCH_IRQ_KEY_OPEN);
	/* Bound: the few instructions until the interrupt is taken. */
	while (!offload.done) {
	}
	(void)arch_irq_lock();
	irq_table[BOARD_SOFT_IRQ] = borrowed;
	if (!enabled) {
		irq_disable(BOARD_SOFT_IRQ);
	}
	arch_irq_unlock(key);
}
