/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a tick hit a sample, told without a count in the kernel, which every announcement
 * would pay for: each sets the alarm anew, so one that was due and stands elsewhere has
 * come. Asked after a window, it includes what ran between two windows: a sample may be
 * taken for hit that was not, and none the other way round. A user thread that counts its own
 * samples (a pair's) can't look: there a tick stays an outlier without a name.
 */
#include "private.h"

#include "drivers/timer.h"
#include "kernel/time/clock.h"

bool tick_came(void)
{
	static uint32_t alarm; /* timer cycles */
	uint32_t was;

	if (k_is_user_context()) {
		return false;
	}
	was = alarm;
	alarm = clock_state.alarm_cycle;
	return alarm != was && (int32_t)(timer_cycles() - was) >= 0;
}
