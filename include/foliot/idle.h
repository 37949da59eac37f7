/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Idling by hand, for a thread that waits for an interrupt and keeps the CPU.
 */
#ifndef FOLIOT_IDLE_H
#define FOLIOT_IDLE_H

#include <stdbool.h>

/**
 * Returns whether the caller may wait: it is a thread, not the idle thread, and no ISR, after the
 * start.
 * Context: either.
 */
bool k_can_yield(void);

/** Wait for an interrupt, as the idle thread does. Context: thread. */
void k_cpu_idle(void);

/**
 * Wait for an interrupt, masked by irq_lock() up to then, so that none comes unseen before; then
 * restore `key`.
 * Context: thread.
 */
void k_cpu_atomic_idle(unsigned int key);

#endif /* FOLIOT_IDLE_H */
