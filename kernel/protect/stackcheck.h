/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stack faults that come at a bad time. A thread that overflows its stack inside the
 * kernel, or with interrupts masked, may have left a list half changed: aborting it and
 * going on would be worse than the overflow. Who finds such a fault says so here, and the
 * run ends after the report. Nothing without CONFIG_STACK_CHECKS.
 */
#ifndef FOLIOT_KERNEL_STACKCHECK_H
#define FOLIOT_KERNEL_STACKCHECK_H

#include <stdbool.h>

#ifdef CONFIG_STACK_CHECKS
extern bool stackcheck_is_final;

static inline bool stackcheck_ends_run(void)
{
	return stackcheck_is_final;
}
#else
static inline bool stackcheck_ends_run(void)
{
	return false;
}
#endif

#endif /* FOLIOT_KERNEL_STACKCHECK_H */
