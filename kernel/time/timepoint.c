/* SPDX-License-Identifier: Apache-2.0 */
/* Moments: time-outs that go on from call to call. */
#include "kernel/base/kernel.h"
#include "kernel/time/timeout.h"

IN_EITHER_MODE k_timepoint_t sys_timepoint_calc(k_timeout_t timeout)
{
	if (timeout.ticks == 0) {
		return (k_timepoint_t){0};
	}
	if (timeout.ticks == K_TICKS_FOREVER) {
		return (k_timepoint_t){UINT64_MAX};
	}
	if (timeout_is_absolute(timeout)) {
		return (k_timepoint_t){timeout_absolute_tick(timeout)};
	}
	return (k_timepoint_t){(uint64_t)k_uptime_ticks() + (uint64_t)timeout.ticks};
}

IN_EITHER_MODE k_timeout_t sys_timepoint_timeout(k_timepoint_t timepoint)
{
	uint64_t now;

	if (timepoint.tick == UINT64_MAX) {
		return K_FOREVER;
	}
	if (timepoint.tick == 0) {
		return K_NO_WAIT;
	}
	now = (uint64_t)k_uptime_ticks();
	return timepoint.tick <= now
		       ? K_NO_WAIT
		       : (k_timeout_t){(k_ticks_t)MIN(timepoint.tick - now, (uint64_t)K_TICKS_MAX)};
}
