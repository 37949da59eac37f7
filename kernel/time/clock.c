/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ticks out of a free-running counter, uptime, and the alarm.
 *
 * The counter's wraps are followed by looking at it at least once a wrap, so the
 * alarm is never set further than half a wrap ahead. Division is avoided where no
 * tick has passed since the last look, which is the common case in a busy system.
 */
#include "kernel/time/clock.h"
#include "kernel/core/kernel.h"
#include "kernel/time/timeout.h"
#include "drivers/timer/timer.h"
#include "kernel/inspect/usage.h"
#include "kernel/inspect/trace.h"

#define CYCLES_PER_TICK CLOCK_CYCLES_PER_TICK
#define TICKS_PER_LOOK  (0x40000000U / MAX(CYCLES_PER_TICK, USAGE_PER_TICK))
BUILD_ASSERT(CYCLES_PER_TICK >= 16, "a tick is too short for this board's timer");
BUILD_ASSERT(TICKS_PER_LOOK >= 2, "a tick is too long for this board's timer");

static struct {
	uint32_t cycle;    /* where `tick` began */
	k_ticks_t tick;
	int64_t uptime;    /* of uptime_tick */
	k_ticks_t uptime_tick;
} clock;

k_ticks_t clock_ticks(void)
{
	uint32_t passed = timer_cycles() - clock.cycle;

	if (passed >= CYCLES_PER_TICK) {
		uint32_t ticks = passed / CYCLES_PER_TICK;

		clock.tick += ticks;
		clock.cycle += ticks * CYCLES_PER_TICK;
	}
	return clock.tick;
}

k_ticks_t clock_tick_nearest(uint32_t ahead)
{
	k_ticks_t tick = clock_ticks();
	uint32_t from_tick = timer_cycles() - clock.cycle + ahead;

	return tick + MAX((from_tick + CYCLES_PER_TICK / 2) / CYCLES_PER_TICK, 1U);
}

void clock_alarm(k_ticks_t tick)
{
	int32_t ahead = (int32_t)(tick - clock_ticks());
	uint32_t ticks = ahead < 0 ? 0 : (uint32_t)ahead;

	timer_alarm(clock.cycle + MIN(ticks, TICKS_PER_LOOK) * CYCLES_PER_TICK);
}

static int64_t uptime(void)
{
	k_ticks_t now = clock_ticks();

	clock.uptime += (k_ticks_t)(now - clock.uptime_tick);
	clock.uptime_tick = now;
	return clock.uptime;
}

/* Follow the counters that wrap. Interrupts masked. */
static void look(void)
{
	(void)uptime();
	usage_look();
}

void clock_announce(void)
{
	unsigned int key = arch_irq_lock();

	trace_scheduler_enter();
	look();
	timeout_announce(clock.tick);
	trace_scheduler_exit();
	arch_irq_unlock(key);
}

void clock_init(void)
{
	timer_init();
	clock.cycle = timer_cycles();
	clock.tick = CONFIG_SYS_CLOCK_FIRST_TICK;
	clock.uptime_tick = clock.tick;
	timeout_announce(clock.tick);
}

int64_t k_uptime_ticks(void)
{
	unsigned int key = arch_irq_lock();
	int64_t ticks = uptime();

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
		look();
		arch_irq_unlock(key);
	}
	spin((uint32_t)cycles);
}
