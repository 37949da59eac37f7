/* SPDX-License-Identifier: Apache-2.0 */
/*
 * VexRiscv's external interrupts (CONFIG_RISCV_VEX_LINES): 32 lines behind a mask of the core's
 * own, all of one cause. Here a line's number is its bit of that mask, except for the numbers of
 * the causes that the core has beside them, which stay what they are elsewhere.
 */
#ifndef FOLIOT_RISCV_VEX_LINES_H
#define FOLIOT_RISCV_VEX_LINES_H

#include <errno.h>
#include "kernel/base/kernel.h"

#ifdef CONFIG_RISCV_VEX_LINES

/* At boot, all of them disabled: let the core hear of those that will be enabled. */
void riscv_vex_lines_init(void);

/* arch_irq_control() of a line, by its bit. */
int riscv_vex_line_control(enum arch_irq_op op, uint32_t bit);

static inline bool riscv_is_vex_line(unsigned int irq)
{
	return irq != 3U && irq != 7U && irq != 11U; /* software, timer, and their own cause */
}

#else

static inline void riscv_vex_lines_init(void)
{
}

static inline int riscv_vex_line_control(enum arch_irq_op op, uint32_t bit)
{
	return -EINVAL;
}

static inline bool riscv_is_vex_line(unsigned int irq)
{
	return false;
}

#endif /* CONFIG_RISCV_VEX_LINES */

#endif /* FOLIOT_RISCV_VEX_LINES_H */
