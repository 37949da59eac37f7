/* SPDX-License-Identifier: Apache-2.0 */
/* Firmware that touches memory that isn't there, in a function of a known name. */
#include <foliot/kernel.h>

__attribute__((noipa)) static unsigned int read_from(const volatile unsigned int *address)
{
	return *address;
}

int main(void)
{
	printk("about to fault\n");
	printk("read %u\n", read_from((const volatile unsigned int *)0xC0000000UL));
	return 0;
}
