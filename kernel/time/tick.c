/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the alarm's interrupt does: the clock is looked at, and what is due expires. The only
 * file that knows both the clock and the timeouts, so that neither needs the other's end.
 */
#include "kernel/time/tick.h"
#include "kernel/time/clock.h"
#include "kernel/time/timeout.h"
#include "kernel/base/kernel.h"
#include "kernel/hooks/trace.h"
#include "drivers/timer.h"

void timer_announce(void)
{
	unsigned int key = tick_lock();

	trace_scheduler_enter();
	timeout_announce(clock_announce());
	trace_scheduler_exit();
	tick_unlock(key);
}

void tick_init(void)
{
	clock_init();
	timeout_init();
}
