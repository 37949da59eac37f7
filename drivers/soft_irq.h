/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An interrupt line that software can raise: line BOARD_SOFT_IRQ. For suites and
 * tests that need a real interrupt at a known place.
 */
#ifndef FOLIOT_DRIVERS_SOFT_IRQ_H
#define FOLIOT_DRIVERS_SOFT_IRQ_H

/* Raise, and lower, the line. Either context; a handler lowers it before it returns. */
void soft_irq_raise(void);
void soft_irq_clear(void);

#endif /* FOLIOT_DRIVERS_SOFT_IRQ_H */
