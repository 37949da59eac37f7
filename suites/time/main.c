/* SPDX-License-Identifier: Apache-2.0 */
#include "time.h"

int main(void)
{
	k_thread_priority_set(k_current_get(), TIME_PRIO);
	measure_begin("time");
	time_uptime();
	time_calls();
	time_alarm();
	time_sleepers();
	time_moves();
	k_exit(measure_end());
}
