/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An interrupt controller that is a device, on architectures whose core has one line for all.
 * What arch_irq_control() asks for is here; beside the driver's C file lies an include for
 * assembly, which the board names (BOARD_INTC), with two macros for the port's interrupt entry
 * (which registers they change is said there):
 *
 *   intc_take NONE   which line? Its number into the first argument register; jumps to NONE if
 *                    there is none any more. Pushes what intc_end needs.
 *   intc_end         its handler has returned.
 *
 * Between the two only more urgent lines interrupt.
 */
#ifndef FOLIOT_DRIVERS_INTC_H
#define FOLIOT_DRIVERS_INTC_H

#include <stdbool.h>

/* Every line disabled, and the core let to hear of those that are enabled. At boot. */
void intc_init(void);

/* Lines from 0 to BOARD_NUM_IRQS - 1. When a line is disabled, it does not come any more. */
void intc_enable(unsigned int irq);
void intc_disable(unsigned int irq);
bool intc_is_enabled(unsigned int irq);

/*
 * 0 is the most urgent; beyond what the device has they are alike; IRQ_PRIO_ALARM comes after all.
 */
void intc_set_priority(unsigned int irq, unsigned int prio);

#endif /* FOLIOT_DRIVERS_INTC_H */
