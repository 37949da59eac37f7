/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's side of interrupts: its table, filled before any line is enabled. */
#ifndef FOLIOT_KERNEL_INTERRUPT_H
#define FOLIOT_KERNEL_INTERRUPT_H

#include "kernel/base/kernel.h"

__cold void irq_init(void);

#endif /* FOLIOT_KERNEL_INTERRUPT_H */
