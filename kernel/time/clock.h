/* SPDX-License-Identifier: Apache-2.0 */
/* From the timer's cycles to ticks; one alarm. Interrupts masked throughout. */
#ifndef FOLIOT_KERNEL_CLOCK_H
#define FOLIOT_KERNEL_CLOCK_H

#include <board.h>
#include <foliot/time.h>

void clock_init(void);

/* Ticks since start, rounded down, modulo 2^32. */
k_ticks_t clock_ticks(void);

/* Cycles of the timer in a tick. */
#define CLOCK_CYCLES_PER_TICK (BOARD_TIMER_HZ / CONFIG_SYS_CLOCK_TICKS_PER_SEC)

/* The tick nearest to `ahead` cycles from now, at most 2^30, and not before the next. */
k_ticks_t clock_tick_nearest(uint32_t ahead);

/* An uptime tick, modulo 2^32, as the clock counts them. */
static inline k_ticks_t clock_from_uptime(k_ticks_t tick)
{
	return tick + CONFIG_SYS_CLOCK_FIRST_TICK;
}

/* Have timer_announce() called `ahead` ticks after clock_ticks(), or somewhat earlier. */
void clock_alarm(k_ticks_t ahead);

/* Follow the counters that wrap; to be called at least once a wrap. */
void clock_look(void);

/* Ticks since start, 64 bits. */
int64_t clock_uptime(void);

#endif /* FOLIOT_KERNEL_CLOCK_H */
