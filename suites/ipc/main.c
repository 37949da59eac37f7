/* SPDX-License-Identifier: Apache-2.0 */
/* The suite of messages between threads and domains: see ipc.h. */
#include "ipc.h"

#define PRIO K_PRIO_PREEMPT(8)

int main(void)
{
	k_thread_priority_set(k_current_get(), PRIO); /* clients and servers outrank it */
	measure_begin("ipc");
	domains_prepare();
	measure_calls();
	measure_signals();
	measure_faults();
	measure_yields();
	measure_pages();
	k_exit(measure_end());
}
