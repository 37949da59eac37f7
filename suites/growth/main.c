/* SPDX-License-Identifier: Apache-2.0 */
/* The growth suite; growth.h says what it is for. */
#include "growth.h"

static const uint32_t counts[] = {1, 16, 64, 256};

int main(void)
{
	k_thread_priority_set(k_current_get(), GROWTH_PRIO);
	measure_begin("growth");
	for (uint32_t i = 0; i < ARRAY_SIZE(counts) && counts[i] <= GROWTH_MAX; i++) {
		growth_ready(counts[i]);
		growth_waiters(counts[i]);
		growth_timeouts(counts[i]);
		growth_blocks(counts[i]);
	}
	k_exit(measure_end());
}
