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
#include "kernel/core/kernel.h"
#include "drivers/timer.h"
#include "kernel/inspect/usage.h"

#define CYCLES_PER_TICK CLOCK_CYCLES_PER_TICK
#define CYCLES_LEFT     (BOARD_TIMER_HZ % CONFIG_SYS_CLOCK_TICKS_PER_SEC) /* a second, uncounted */
#define TICKS_PER_LOOK  (0x40000000U / (MAX(CYCLES_PER_TICK, USAGE_PER_TICK) + 1U))
BUILD_ASSERT(CYCLES_PER_TICK >= 16, "a tick is too short for this board's timer");
BUILD_ASSERT(TICKS_PER_LOOK >= 2, "a tick is too long for this board's timer");

static struct {
	uint32_t cycle; /* where `tick` began, */
	uint32_t rest; /* and this many CONFIG_SYS_CLOCK_TICKS_PER_SECths of one later */
	k_ticks_t tick;
	int64_t uptime; /* of uptime_tick */
	k_ticks_t uptime_tick;
} clock;

/* How many ticks end in `passed` cycles, which are one tick's at least. */
static uint32_t ticks_in(uint32_t passed)
{
	if (CYCLES_LEFT == 0) {
		return passed / CYCLES_PER_TICK;
	}
	return (uint32_t)(((uint64_t)passed * CONFIG_SYS_CLOCK_TICKS_PER_SEC - clock.rest) /
			  BOARD_TIMER_HZ);
}

/* clock.rest `ticks` later, whole cycles included. */
static uint64_t rest_after(uint32_t ticks)
{
	return (uint64_t)ticks * CYCLES_LEFT + clock.rest;
}

k_ticks_t clock_ticks(void)
{
	uint32_t passed = timer_cycles() - clock.cycle;

	if (passed >= CYCLES_PER_TICK) {
		uint32_t ticks = ticks_in(passed);

		clock.tick += ticks;
		clock.cycle += ticks * CYCLES_PER_TICK;
		if (CYCLES_LEFT != 0) {
			uint64_t rest = rest_after(ticks);

			clock.cycle += (uint32_t)(rest / CONFIG_SYS_CLOCK_TICKS_PER_SEC);
			clock.rest = (uint32_t)(rest % CONFIG_SYS_CLOCK_TICKS_PER_SEC);
		}
	}
	return clock.tick;
}

k_ticks_t clock_tick_nearest(uint32_t ahead)
{
	k_ticks_t tick = clock_ticks();
	uint32_t from_tick = timer_cycles() - clock.cycle + ahead + CYCLES_PER_TICK / 2;

	return tick + (from_tick < 2 * CYCLES_PER_TICK ? 1U : ticks_in(from_tick));
}

void clock_alarm(k_ticks_t ahead)
{
	uint32_t ticks = MIN(ahead, TICKS_PER_LOOK);
	uint32_t cycle = clock.cycle + ticks * CYCLES_PER_TICK;

	if (CYCLES_LEFT != 0) {
		cycle += (uint32_t)((rest_after(ticks) + CONFIG_SYS_CLOCK_TICKS_PER_SEC - 1U) /
				    CONFIG_SYS_CLOCK_TICKS_PER_SEC);
	}
	timer_alarm(cycle);
}

int64_t clock_uptime(void)
{
	k_ticks_t now = clock_ticks();

	clock.uptime += (k_ticks_t)(now - clock.uptime_tick);
	clock.uptime_tick = now;
	return clock.uptime;
}

void clock_look(void)
{
	(void)clock_uptime();
	usage_look();
}

void clock_init(void)
{
	timer_init();
	clock.cycle = timer_cycles();
	clock.tick = CONFIG_SYS_CLOCK_FIRST_TICK;
	clock.uptime_tick = clock.tick;
}

int64_t k_uptime_ticks(void)
{
	unsigned int key = arch_irq_lock();
	int64_t ticks = clock_uptime();

	arch_irq_unlock(key);
	return ticks;
}

int64_t k_uptime_get(void)
{
	return (int64_t)k_ticks_to_ms_floor64(k_uptime_ticks());
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

uint32_t k_cycle_get_32(void)
{
	return timer_cycles();
}

uint32_t sys_clock_hw_cycles_per_sec(void)
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
		clock_look();
		arch_irq_unlock(key);
	}
	spin((uint32_t)cycles);
}
