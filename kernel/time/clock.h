/* SPDX-License-Identifier: Apache-2.0 */
/* From the timer's cycles to ticks; one alarm. Interrupts masked throughout. */
#ifndef FOLIOT_KERNEL_CLOCK_H
#define FOLIOT_KERNEL_CLOCK_H

#include <board.h>
#include "kernel/base/kernel.h"
#include "kernel/hooks/thread_cycles.h"
#include "drivers/timer.h"

__cold void clock_init(void);

/* Cycles of the timer in a tick. */
#define CLOCK_CYCLES_PER_TICK (BOARD_TIMER_HZ / CONFIG_SYS_CLOCK_TICKS_PER_SEC)

/* Cycles that this leaves over in a second. */
#define CLOCK_CYCLES_LEFT (BOARD_TIMER_HZ % CONFIG_SYS_CLOCK_TICKS_PER_SEC)

/* How many ticks ahead the alarm may be, so that every wrap of a counter is seen. */
#define CLOCK_TICKS_PER_LOOK (0x40000000U / (MAX(CLOCK_CYCLES_PER_TICK, USAGE_PER_TICK) + 1U))

/* What the clock has last found; clock.c sees to it. */
struct clock {
	uint32_t cycle;    /* where `tick` began, */
	timeout_tick_t tick; /* counted from CONFIG_SYS_CLOCK_FIRST_TICK, modulo 2^32 or 2^64 */
	uint32_t wraps;    /* of `tick` */
	uint32_t alarm_cycle; /* what the alarm is set to, */
	timeout_tick_t alarm_tick; /* which begins there; both as of the last wrap of ticks since */
	uint32_t rest; /* CONFIG_SYS_CLOCK_TICKS_PER_SECths of a cycle later */
	timeout_tick_t ms_tick; /* the tick of `ms`, */
	uint32_t ms_wraps; /* and how often ticks had wrapped */
	uint32_t ms_rest; /* milliseconds' CONFIG_SYS_CLOCK_TICKS_PER_SECths */
	int64_t ms; /* uptime, rounded down */
};
extern struct clock clock_state ARCH_NEAR;

/* Have the clock catch up with the timer, which is `passed` cycles past `cycle`. */
timeout_tick_t clock_catch_up(uint32_t passed);

static inline timeout_tick_t clock_ticks_inline(void)
{
	uint32_t passed = timer_cycles() - clock_state.cycle;

	return likely(passed < CLOCK_CYCLES_PER_TICK) ? clock_state.tick : clock_catch_up(passed);
}

/* Ticks since start, rounded down, modulo timeout_tick_t. */
#ifdef CONFIG_SIZE_OPTIMIZATIONS
timeout_tick_t clock_ticks(void);
#else
static inline timeout_tick_t clock_ticks(void)
{
	return clock_ticks_inline();
}
#endif

/* True if a tick has ended since clock_ticks() was last called. */
static inline bool clock_is_behind(void)
{
	return timer_cycles() - clock_state.cycle >= CLOCK_CYCLES_PER_TICK;
}

/* What clock_ticks() was when it was last called. */
/*@ assigns \nothing;
  @ ensures \result == clock_state.tick;
  @*/
static inline timeout_tick_t clock_latest(void)
{
	return clock_state.tick;
}

/* The tick nearest to `ahead` cycles from now, at most 2^30, and not before the next. */
timeout_tick_t clock_tick_nearest(uint32_t ahead);

/* An uptime tick, modulo timeout_tick_t, as the clock counts them. */
/*@ assigns \nothing;
  @ ensures \result == (timeout_tick_t)(tick + CONFIG_SYS_CLOCK_FIRST_TICK);
  @*/
static inline timeout_tick_t clock_from_uptime(timeout_tick_t tick)
{
	return tick + CONFIG_SYS_CLOCK_FIRST_TICK;
}

/* The cycle at which the tick begins that is `ticks` after clock_latest(). */
uint32_t clock_cycle_of(uint32_t ticks);

/*
 * clock_ticks(), for the alarm's interrupt. Most often it finds what the alarm was set for,
 * and need not count. Else it came early or late, or the clock is past it, or its tick has
 * wrapped.
 */
static inline timeout_tick_t clock_announce(void)
{
	usage_sample();
	if (IS_ENABLED(CONFIG_SIZE_OPTIMIZATIONS)) {
		return clock_ticks();
	}

	uint32_t passed = timer_cycles() - clock_state.alarm_cycle;
	timeout_tick_t tick = clock_state.alarm_tick;

	if (CLOCK_CYCLES_LEFT != 0 || passed >= CLOCK_CYCLES_PER_TICK || tick < clock_state.tick) {
		return clock_ticks();
	}
	clock_state.tick = tick;
	clock_state.cycle = clock_state.alarm_cycle;
	return tick;
}

/* Have timer_announce() called `ahead` ticks after clock_latest(), or somewhat earlier. */
static inline void clock_alarm(timeout_tick_t ahead)
{
	uint32_t ticks = (uint32_t)MIN(ahead, CLOCK_TICKS_PER_LOOK);
	uint32_t cycle = CLOCK_CYCLES_LEFT == 0 ? clock_state.cycle + ticks * CLOCK_CYCLES_PER_TICK
						: clock_cycle_of(ticks);

	clock_state.alarm_cycle = cycle;
	clock_state.alarm_tick = clock_state.tick + ticks;
	timer_alarm(cycle);
}

/* Follow the counters that wrap; to be called at least once a wrap. */
void clock_sample(void);

/* Ticks since start, 64 bits. */
int64_t clock_uptime(void);

#endif /* FOLIOT_KERNEL_CLOCK_H */
