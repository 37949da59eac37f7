/* SPDX-License-Identifier: Apache-2.0 */
/* The system call: in a file of its own, since who calls it has to be told from it by the linker. */
#include <foliot/kernel.h>
#include "call.h"
#include "tests/kernel/nowhere.h"

__attribute__((noipa)) void store(volatile unsigned int *address)
{
	*address = 1; /* NOLINT(clang-analyzer-core.NullDereference): meant to */
}

int stores_in_kernel_mode(void)
{
	printk("in kernel mode\n");
	store((volatile unsigned int *)NOWHERE);
	return 0;
}

int verify_stores_in_kernel_mode(void);
int verify_stores_in_kernel_mode(void)
{
	return stores_in_kernel_mode();
}
