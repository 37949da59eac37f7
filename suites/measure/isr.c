/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Windows that begin in an interrupt handler and end in a thread. The stamp has to be
 * stored before the handler returns, which falls into the window, so these have an
 * overhead of their own: a stamp and a store, in functions that no compiler can blend
 * with what is around them.
 */
#include "private.h"

__attribute__((noipa, aligned(CONFIG_MEASURE_WINDOW_ALIGN))) void
measure_stamp_start(struct measure_window *window)
{
	uint32_t start = measure_stamp();

	measure_fence_stamp(start);
	window->start = start;
}

static __attribute__((noipa, aligned(CONFIG_MEASURE_WINDOW_ALIGN))) intptr_t
nothing_stored(struct measure_window *window)
{
	uint32_t start = measure_stamp();
	uint32_t end;

	measure_fence_stamp(start);
	window->start = start;
	measure_fence();
	end = measure_stamp();
	measure_fence_stamp(end);
	window->end = end;
	return 0;
}

int32_t measure_overhead_stored(const char *id)
{
	return measure_overhead(id, nothing_stored);
}
