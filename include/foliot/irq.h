/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interrupts: masking, connecting, enabling, and running a function as an ISR.
 *
 * Numbers are the board's (see its board.h). Priorities: on Cortex-M 0 is the most
 * urgent that may call the kernel; on RISC-V machine mode lines have none and the
 * argument is ignored.
 */
#ifndef FOLIOT_IRQ_H
#define FOLIOT_IRQ_H

#include <foliot/util.h>
#include <arch_inline.h>

typedef void (*irq_handler_t)(const void *arg);

struct irq_entry {
	irq_handler_t handler;
	const void *arg;
};

struct irq_static_entry {
	unsigned int irq;
	struct irq_entry entry;
};

/*
 * Mask interrupts; returns the key that irq_unlock() takes. Nests. Context: either.
 * A thread that blocks while it holds a key runs again with interrupts masked, and
 * others run unmasked meanwhile.
 */
static inline unsigned int irq_lock(void)
{
	return arch_irq_lock();
}

/* Restore the state that irq_lock() returned. Context: either. */
static inline void irq_unlock(unsigned int key)
{
	arch_irq_unlock(key);
}

/* True inside an interrupt handler. Context: either. */
static inline bool k_is_in_isr(void)
{
	return arch_in_isr();
}

/*
 * Connect a handler at build time. A statement; irq, handler, arg are constants.
 * The line still has to be enabled. Context: thread (initialisation).
 */
#define IRQ_CONNECT(irq_num, priority, isr, isr_arg, flags)                               \
	do {                                                                              \
		static const STRUCT_SECTION_ITERABLE(irq_static_entry, irq_static_entry,  \
						     CONCAT(irq_entry_, __COUNTER__)) = { \
			.irq = (irq_num),                                                 \
			.entry = {(irq_handler_t)(isr), (const void *)(isr_arg)},         \
		};                                                                        \
		ARG_UNUSED(flags);                                                        \
		irq_priority_set((irq_num), (priority));                                  \
	} while (0)

/*
 * Connect a handler at run time. Returns irq, or -EINVAL for a line the board does
 * not have. Context: either.
 */
int irq_connect_dynamic(unsigned int irq, unsigned int priority, irq_handler_t handler,
			const void *arg, uint32_t flags);

/* Enable, disable, query and prioritise a line. Context: either. */
void irq_enable(unsigned int irq);
void irq_disable(unsigned int irq);
int irq_is_enabled(unsigned int irq);
void irq_priority_set(unsigned int irq, unsigned int priority);

/*
 * Run routine(arg) in interrupt context, now. Opens interrupts for that time if they
 * were masked. A thread that routine wakes runs before this returns if it outranks the
 * caller. Not re-entrant: one thread at a time. Context: thread.
 */
void irq_offload(irq_handler_t routine, const void *arg);

#endif /* FOLIOT_IRQ_H */
