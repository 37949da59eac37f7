/* SPDX-License-Identifier: Apache-2.0 */
/* Firmware that never comes to an end: the lab has to stop it and to say where it was. */
#include <foliot/kernel.h>

static volatile unsigned int rounds;

__attribute__((noipa)) static void spin_forever(void)
{
	/* Bound: none, on purpose. */
	for (;;) {
		rounds++;
	}
}

int main(void)
{
	printk("about to hang\n");
	spin_forever();
	return 0;
}
