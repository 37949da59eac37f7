/* SPDX-License-Identifier: Apache-2.0 */
/* What the scheduling of periodic threads costs, and how that grows: without any trace. */
#include "rows.h"

int main(void)
{
	k_thread_priority_set(k_current_get(), WATCHER_PRIO);
	measure_begin("periodic");
	rows_release();
	rows_hand_over();
	k_exit(measure_end());
}
