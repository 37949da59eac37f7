/* SPDX-License-Identifier: Apache-2.0 */
/* The system call: in a file of its own, since who calls it has to be told from it by the linker. */
#include <foliot/kernel.h>
#include "call.h"
#include "tests/kernel/nowhere.h"

__attribute__((noipa)) void store(volatile unsigned int *address)
{
	*address = 1; /* NOLINT(clang-analyzer-core.NullDereference): meant to */
}

#ifdef CONFIG_STACK_GUARD
static __attribute__((noipa)) int overflow(int depth)
{
	volatile char here[48];

	here[0] = (char)depth;
	return (depth > 0 ? overflow(depth - 1) : 0) + here[0];
}
#endif

#ifdef CONFIG_STACK_CANARIES
static __attribute__((noipa)) void overwrite(size_t size)
{
	volatile char here[16];

	/* Bound: size. */
	for (size_t i = 0; i < size; i++) {
		((volatile char *)&here)[i] = 'x';
	}
}
#endif

int stores_in_kernel_mode(void)
{
	printk("in kernel mode\n");
#ifdef CONFIG_STACK_CANARIES
	overwrite(32);
#endif
#ifdef CONFIG_STACK_GUARD /* where it might have changed half of a list */
	(void)irq_lock();
	(void)overflow(100);
#endif
	store((volatile unsigned int *)NOWHERE);
	return 0;
}

int verify_stores_in_kernel_mode(void);
int verify_stores_in_kernel_mode(void)
{
	return stores_in_kernel_mode();
}
