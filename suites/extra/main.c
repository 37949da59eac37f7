/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows that Zephyr's benchmark lacks and that people ask for: the first lock and the
 * last unlock of a mutex, a semaphore that is empty, and the way into an interrupt.
 */
#include "extra.h"

int main(void)
{
	k_thread_priority_set(k_current_get(), EXTRA_PRIO);
	measure_begin("extra");
	extra_uncontended();
	extra_interrupt();
	k_exit(measure_end());
}
