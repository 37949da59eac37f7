/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The smallest application: say something every 100 milliseconds, then end.
 *
 *     ./foliot run samples/hello                   on a simulated Ibex
 *     ./foliot run samples/hello --board mps2_an385
 *
 * main() runs in a thread of its own, at CONFIG_MAIN_THREAD_PRIORITY. Between the
 * lines it sleeps: the kernel sets one alarm and the core waits for it, without a
 * periodic tick. On a simulator k_exit() ends the process; on a board the core halts.
 */
#include <foliot/kernel.h>

int main(void)
{
	/* Bound: 5. */
	for (int i = 1; i <= 5; i++) {
		printk("Hello number %d, %d ms after the start\n", i, (int)k_uptime_get());
		k_msleep(100);
	}
	k_exit(0);
}
