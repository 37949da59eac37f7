/* SPDX-License-Identifier: Apache-2.0 */
/* The trace hooks that ports call out of line, and the threads' signals. */
#include "kernel/hooks/trace.h"

uint32_t trace_thread_levels;

void trace_isr_enter(void)
{
	trace_levels_set_all(K_SIGNAL_ISR);
}

void trace_thread_in(void)
{
	trace_levels_set_all(trace_thread_levels);
}

void k_trace_thread_signal_set(struct k_thread *thread, unsigned int n)
{
	uint32_t own = n < K_SIGNAL_THREADS ? K_SIGNAL_THREAD(n) : 0;

	thread->trace_levels = K_SIGNAL_THREAD_ANY | own;
}
