/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An assertion that failed; apart from fatal.c, since it is linked where somebody asserts, and
 * printk() with it.
 */
#include "kernel/base/fatal.h"

void k_assert_failed(const char *name, const char *file, int line)
{
	(void)arch_irq_lock();
	printk("ASSERTION FAILED: %s at %s:%d\n", name, file, line);
	fatal_report(&(struct fault){K_ERR_KERNEL_PANIC, name,
				     (uintptr_t)__builtin_return_address(0),
				     arch_in_isr() ? FATAL_IN_ISR : FATAL_IN_THREAD},
		     NULL);
	k_exit(1);
}
