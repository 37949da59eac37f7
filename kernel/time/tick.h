/* SPDX-License-Identifier: Apache-2.0 */
/* The clock and the timeouts, brought together. */
#ifndef FOLIOT_KERNEL_TICK_H
#define FOLIOT_KERNEL_TICK_H

#include "kernel/base/kernel.h"

/* At start. */
__cold void tick_init(void);

/*
 * Within the alarm's interrupt: mask the others, and let them in again. Nothing where handlers
 * run masked anyway.
 */
static inline unsigned int tick_lock(void)
{
	return ARCH_IRQ_KEY_ISR == ARCH_IRQ_KEY_OPEN ? arch_irq_lock() : ARCH_IRQ_KEY_ISR;
}

static inline void tick_unlock(unsigned int key)
{
	if (ARCH_IRQ_KEY_ISR == ARCH_IRQ_KEY_OPEN) {
		arch_irq_unlock(key);
	}
}

#endif /* FOLIOT_KERNEL_TICK_H */
