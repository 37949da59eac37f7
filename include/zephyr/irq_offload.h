/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * irq_offload() under Zephyr's path. */
#ifndef ZEPHYR_IRQ_OFFLOAD_H
#define ZEPHYR_IRQ_OFFLOAD_H

#include <foliot/irq.h>

/** What irq_offload() calls. */
typedef irq_handler_t irq_offload_routine_t;

#endif /* ZEPHYR_IRQ_OFFLOAD_H */
