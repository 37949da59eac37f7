/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints k_kernel_report() at a pace, for who watches at a serial port. It comes after all of
 * the application's threads in urgency: what is left of the CPU is enough for it.
 */
#include <foliot/usage.h>
#include "kernel/base/kernel.h"

#define STACK_SIZE (1024 * sizeof(void *) / 4)

void kernel_report_printed(void *p1, void *p2, void *p3);
void kernel_report_printed(void *p1, void *p2, void *p3)
{
	for (;;) { /* Bound: none, it is a thread's; each turn sleeps. */
		(void)k_msleep(CONFIG_KERNEL_REPORT_MS);
		k_kernel_report();
	}
}

K_THREAD_DEFINE(kernel_report, STACK_SIZE, kernel_report_printed, NULL, NULL, NULL,
		K_LOWEST_APPLICATION_THREAD_PRIO, 0, 0);
