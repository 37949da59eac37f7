/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a tick hit a sample, told without a count in the kernel, which every announcement
 * would pay for: each sets the alarm anew, so one that was due and stands elsewhere has
 * come. Asked after a window, it includes what ran between two windows: a sample may be
 * taken for hit that was not, and none the other way round. User threads can't ask, and none
 * of their samples is said to be hit. Nor is one of a traced run (CONFIG_MEASURE_STAMPS): there
 * the instructions between samples are counted, and QEMU traces one that reads a device twice.
 */
#include "private.h"

bool tick_came(void)
{
	static uint32_t alarm; /* timer cycles */
	uint32_t was;

	if (IS_ENABLED(CONFIG_MEASURE_STAMPS) || k_is_user_context()) {
		return false;
	}
	was = alarm;
	alarm = k_cycle_alarm_get_32();
	return alarm != was && (int32_t)(k_cycle_get_32() - was) >= 0;
}
