/* SPDX-License-Identifier: Apache-2.0 */
/* The latency suite, in the order of Zephyr's list. */
#include "latency.h"

int main(void)
{
	k_thread_priority_set(k_current_get(), LATENCY_PRIO);
	k_thread_system_pool_assign(k_current_get());

	measure_begin("latency");
	measure_user_begin();
	latency_yield();
	latency_isr();
	latency_thread();
	latency_fifo();
	latency_lifo();
	latency_event();
	latency_sem();
	latency_condvar();
	latency_stack();
	latency_mutex();
	latency_heap();
	k_exit(measure_end());
}
