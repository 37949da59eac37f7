/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the scheduling of periodic threads costs, and how that grows: without any trace.
 * Where the board has input pins, the lowest one asks for the switch alone.
 */
#include "inputs.h"
#include "rows.h"

int main(void)
{
	k_thread_priority_set(k_current_get(), WATCHER_PRIO);
	measure_begin("periodic");
	if ((inputs() & 1U) == 0) {
		rows_release();
	}
	rows_hand_over();
	k_exit(measure_end());
}
