/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Interrupts under Zephyr's path. */
#ifndef ZEPHYR_IRQ_H
#define ZEPHYR_IRQ_H

#include <foliot/irq.h>

#endif /* ZEPHYR_IRQ_H */
