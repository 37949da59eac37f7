/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ticks out of a free-running counter, uptime, and the alarm.
 *
 * A tick rate that does not divide the counter's keeps its remainder: a tick begins at the
 * first cycle that is not before its exact time, so ticks are of two lengths, none is early
 * and none drifts.
 *
 * The counter's wraps are followed by looking at it at least once a wrap, so the
 * alarm is never set further than half a wrap ahead. Division is avoided where no
 * tick has passed since the last look, which is the common case in a busy system.
 */
#include "kernel/time/clock.h"
#include "kernel/time/arithmetic.h"
#include "kernel/base/kernel.h"
#include "drivers/timer.h"
#include "kernel/hooks/thread_cycles.h"

#define CYCLES_PER_TICK CLOCK_CYCLES_PER_TICK
#define CYCLES_LEFT     CLOCK_CYCLES_LEFT
#define TICKS_PER_LOOK  CLOCK_TICKS_PER_LOOK
BUILD_ASSERT(CYCLES_PER_TICK >= 16, "a tick is too short for this board's timer");
BUILD_ASSERT(TICKS_PER_LOOK >= 2, "a tick is too long for this board's timer");

struct clock clock_state ARCH_NEAR;

/* How many ticks end in `passed` cycles, which are one tick's at least. */
static inline uint32_t ticks_in(uint32_t passed)
{
	if (CYCLES_LEFT == 0) {
		return quotient(passed, CYCLES_PER_TICK);
	}
	return (uint32_t)(((uint64_t)passed * CONFIG_SYS_CLOCK_TICKS_PER_SEC - clock_state.rest) /
			  BOARD_TIMER_HZ);
}

/* clock_state.rest `ticks` later, whole cycles included. */
static uint64_t rest_after(uint32_t ticks)
{
	return (uint64_t)ticks * CYCLES_LEFT + clock_state.rest;
}

timeout_tick_t clock_catch_up(uint32_t passed)
{
	uint32_t ticks = ticks_in(passed);
	timeout_tick_t now = clock_state.tick + ticks;

	clock_state.tick = now;
	clock_state.cycle += ticks * CYCLES_PER_TICK;
	if (CYCLES_LEFT != 0) {
		uint64_t rest = rest_after(ticks);

		clock_state.cycle += (uint32_t)(rest / CONFIG_SYS_CLOCK_TICKS_PER_SEC);
		clock_state.rest = (uint32_t)(rest % CONFIG_SYS_CLOCK_TICKS_PER_SEC);
	}
	if (unlikely(now < ticks)) {
		clock_state.wraps++;
		/* Of a time before: clock_announce() is to find none that only looks right. */
		clock_state.alarm_tick = now;
		clock_state.alarm_cycle = clock_state.cycle;
	}
	return now;
}

#ifdef CONFIG_SIZE_OPTIMIZATIONS
timeout_tick_t clock_ticks(void)
{
	return clock_ticks_inline();
}
#endif

timeout_tick_t clock_tick_nearest(uint32_t ahead)
{
	timeout_tick_t tick = clock_ticks();
	uint32_t from_tick = timer_cycles() - clock_state.cycle + ahead + CYCLES_PER_TICK / 2;

	return tick + (from_tick < 2 * CYCLES_PER_TICK ? 1U : ticks_in(from_tick));
}

uint32_t clock_cycle_of(uint32_t ticks)
{
	uint64_t rest = rest_after(ticks) + CONFIG_SYS_CLOCK_TICKS_PER_SEC - 1U;

	return clock_state.cycle + ticks * CYCLES_PER_TICK +
	       (uint32_t)(rest / CONFIG_SYS_CLOCK_TICKS_PER_SEC);
}

void clock_sample(void)
{
	(void)clock_ticks();
	usage_sample();
}

void clock_init(void)
{
	timer_init();
	clock_state.cycle = timer_cycles();
	clock_state.tick = CONFIG_SYS_CLOCK_FIRST_TICK;
	clock_state.ms_tick = CONFIG_SYS_CLOCK_FIRST_TICK;
}

/* Ticks since start, 64 bits, as clock_ticks() has last found them. */
static int64_t uptime_latest(void)
{
	if (sizeof(clock_state.tick) == sizeof(uint64_t)) {
		return (int64_t)(clock_state.tick - CONFIG_SYS_CLOCK_FIRST_TICK);
	}
	return (int64_t)((uint64_t)clock_state.wraps << 32 | clock_state.tick) -
	       (int64_t)CONFIG_SYS_CLOCK_FIRST_TICK;
}

int64_t k_uptime_ticks(void)
{
	unsigned int key = arch_irq_lock();
	int64_t ticks;

	(void)clock_ticks();
	ticks = uptime_latest();
	arch_irq_unlock(key);
	return ticks;
}

/*
 * Milliseconds are counted on from the last call's, so that nobody divides 64 bits. They
 * are computed anew where that does not fit: after minutes, and when the ticks wrap.
 */
#define MS_TICKS_MAX (UINT32_MAX / MSEC_PER_SEC - CONFIG_SYS_CLOCK_TICKS_PER_SEC)
BUILD_ASSERT(CONFIG_SYS_CLOCK_TICKS_PER_SEC < UINT32_MAX / MSEC_PER_SEC / 2U,
	     "ticks are too short to count milliseconds by");

static __noinline int64_t ms_catch_up(timeout_tick_t now)
{
	timeout_tick_t passed = now - clock_state.ms_tick;

	if (clock_state.wraps == clock_state.ms_wraps && passed <= MS_TICKS_MAX) {
		uint32_t rest = clock_state.ms_rest + (uint32_t)passed * MSEC_PER_SEC;
		uint32_t ms = quotient(rest, CONFIG_SYS_CLOCK_TICKS_PER_SEC);

		clock_state.ms += ms;
		clock_state.ms_rest = rest - ms * CONFIG_SYS_CLOCK_TICKS_PER_SEC;
	} else {
		uint64_t rest = (uint64_t)uptime_latest() * MSEC_PER_SEC;

		clock_state.ms = (int64_t)(rest / CONFIG_SYS_CLOCK_TICKS_PER_SEC);
		clock_state.ms_rest = (uint32_t)(rest % CONFIG_SYS_CLOCK_TICKS_PER_SEC);
	}
	clock_state.ms_tick = now;
	clock_state.ms_wraps = clock_state.wraps;
	return clock_state.ms;
}

int64_t k_uptime_get(void)
{
	unsigned int key = arch_irq_lock();
	timeout_tick_t now = clock_ticks();
	bool same = now == clock_state.ms_tick && clock_state.wraps == clock_state.ms_wraps;
	int64_t ms = likely(same) ? clock_state.ms : ms_catch_up(now);

	arch_irq_unlock(key);
	return ms;
}

uint32_t k_uptime_get_32(void)
{
	return (uint32_t)k_uptime_get();
}

int64_t k_uptime_delta(int64_t *reftime)
{
	int64_t now = k_uptime_get();
	int64_t delta = now - *reftime;

	*reftime = now;
	return delta;
}

uint32_t k_cycle_alarm_get_32(void)
{
	return clock_state.alarm_cycle;
}

uint32_t k_cycle_get_32(void)
{
	return timer_cycles();
}

/* The tick's beginning, which is exact, and what has passed since: its lower half is the timer. */
uint64_t k_cycle_get_64(void)
{
	unsigned int key = arch_irq_lock();
	uint64_t begin;

	(void)clock_ticks();
	begin = k_ticks_to_cyc_ceil64((uint64_t)uptime_latest());
	begin += (uint32_t)(timer_cycles() - (uint32_t)begin);
	arch_irq_unlock(key);
	return begin;
}

IN_EITHER_MODE uint32_t sys_clock_hw_cycles_per_sec(void)
{
	return BOARD_TIMER_HZ;
}

static void spin(uint32_t cycles)
{
	uint32_t start = timer_cycles();

	/* Bound: cycles, and what whoever preempts the caller takes. */
	while (timer_cycles() - start < cycles) {
	}
}

/* In parts of which a wrap of the counter holds four: masked, nobody else looks at it. */
void k_busy_wait(uint32_t usec)
{
	const uint32_t part = 0x40000000U;
	uint64_t cycles = ((uint64_t)usec * BOARD_TIMER_HZ + USEC_PER_SEC - 1) / USEC_PER_SEC;

	while (cycles > part) {
		unsigned int key;

		spin(part);
		cycles -= part;
		key = arch_irq_lock();
		clock_sample();
		arch_irq_unlock(key);
	}
	spin((uint32_t)cycles);
}
