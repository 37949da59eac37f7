/* SPDX-License-Identifier: Apache-2.0 */
/* Tick rates that do not divide the timer's: nothing is early, and nothing drifts. */
#include <board.h>

#include "test.h"

#define RATE CONFIG_SYS_CLOCK_TICKS_PER_SEC

BUILD_ASSERT(BOARD_TIMER_HZ % RATE != 0, "this rate divides the timer's");

/* Cycles that `ticks` take, rounded up. */
static uint32_t cycles_of(uint32_t ticks)
{
	return (uint32_t)(((uint64_t)ticks * BOARD_TIMER_HZ + RATE - 1U) / RATE);
}

TEST(sleeps_are_never_early_by_the_timers_own_clock)
{
	static const uint32_t lengths[] = {1, 2, 3, 7, 16, 100, 333};

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		uint32_t begin = k_cycle_get_32();

		CHECK_EQ(k_sleep(K_TICKS(lengths[i])), 0);
		CHECK(k_cycle_get_32() - begin >= cycles_of(lengths[i]));
	}
}

TEST(ticks_begin_in_time_and_do_not_drift)
{
	uint32_t first;
	uint32_t begin;

	next_tick();
	begin = k_cycle_get_32(); /* somewhat behind the edge, as every one below */
	first = tick();
	for (int i = 0; i < 8; i++) {
		uint32_t passed;
		uint32_t before;
		uint32_t after;

		(void)k_sleep(K_TICKS(RATE / 32));
		before = tick();
		passed = k_cycle_get_32() - begin;
		after = tick();
		/* The edge of `before` has been, and that of the tick after `after` has not. */
		CHECK(passed + cycles_of(1) >= cycles_of(before - first));
		CHECK(passed <= cycles_of(after - first + 1U));
	}
}

TEST(uptime_is_what_the_cycles_say)
{
	uint32_t begin;
	int64_t ticks;
	uint32_t passed;

	next_tick();
	begin = k_cycle_get_32();
	ticks = k_uptime_ticks();
	(void)k_sleep(K_TICKS(RATE / 8));
	next_tick();
	passed = k_cycle_get_32() - begin;
	ticks = k_uptime_ticks() - ticks;
	CHECK_EQ(((uint64_t)passed * RATE + BOARD_TIMER_HZ / 2U) / BOARD_TIMER_HZ, ticks);
}
