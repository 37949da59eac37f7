/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What threads execute: the part at each switch, and what usage.c is told. Interrupts
 * masked. Nothing without CONFIG_THREAD_USAGE.
 */
#ifndef FOLIOT_KERNEL_THREAD_CYCLES_H
#define FOLIOT_KERNEL_THREAD_CYCLES_H

#include "kernel/base/kernel.h"

#ifdef CONFIG_THREAD_USAGE

#include <board.h>

/* Counts of arch_cycles() a tick: the clock comes by often enough for them. */
#define USAGE_PER_TICK (BOARD_CLOCK_HZ / CONFIG_SYS_CLOCK_TICKS_PER_SEC)

/*
 * k_cpu.usage_since is a stamp, which is the counter as it comes: where it counts down,
 * nothing is spent on turning it round.
 */
#ifdef BOARD_CYCLES_DOWN_REG
#define USAGE_STAMP(cycles)       (~(cycles))
#define USAGE_BETWEEN(start, end) ((start) - (end))
#else
#define USAGE_STAMP(cycles)       (cycles)
#define USAGE_BETWEEN(start, end) ((end) - (start))
#endif

/*
 * `out` is about to be switched from. Also while gathering is switched off for it: not
 * asking is cheaper than not counting, and what is shown was put aside (usage.c).
 */
static inline void usage_switch(struct k_thread *out)
{
	uint32_t now = USAGE_STAMP(arch_cycles());
	uint32_t window = USAGE_BETWEEN(k_cpu.usage_since, now);
	struct thread_sums *sums = &out->usage.sums;
	uint64_t both = sums->longest_and_windows;
	uint32_t longest = (uint32_t)both;
	uint32_t windows = (uint32_t)(both >> 32) + 1U;

	k_cpu.usage_since = now;
	sums->total += window;
	sums->last = window;
	longest = window > longest ? window : longest;
	sums->longest_and_windows = (uint64_t)windows << 32 | longest;
}

static inline void usage_thread_init(struct k_thread *thread)
{
	thread->usage.sums.total = 0;
	thread->usage.sums.last = 0;
	thread->usage.sums.longest_and_windows = 0;
	thread->usage.is_tracked = true;
}

/* At least once in 2^31 counts, so that no wrap of the counter is missed. */
void usage_sample(void);
/* The idle thread is about to idle. Interrupts open. */
void usage_idle(void);
/* Begin with `idle` as what the system does when it does nothing. At start. */
void usage_start(struct k_thread *idle);

void usage_raw(const struct k_thread *thread, struct k_cycle_stats *stats);
void usage_system_raw(struct k_cycle_stats *stats);

#else

#define USAGE_PER_TICK 0U

static inline void usage_switch(struct k_thread *out)
{
}

static inline void usage_thread_init(struct k_thread *thread)
{
}

static inline void usage_sample(void)
{
}

static inline void usage_idle(void)
{
}

static inline void usage_start(struct k_thread *idle)
{
}

#endif

#ifdef CONFIG_OBJ_CORE_STATS
void object_stats_start(void);
#else
static inline void object_stats_start(void)
{
}
#endif

#endif /* FOLIOT_KERNEL_THREAD_CYCLES_H */
