/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Zephyr's timing functions, by which benchmarks measure: stamps of k_cycle_get_64(), which counts
 * from the start on and needs no starting. docs/measuring.md has what is more exact: a row's own
 * windows.
 */
#ifndef ZEPHYR_TIMING_TIMING_H
#define ZEPHYR_TIMING_TIMING_H

#include <zephyr/kernel.h>

EXTERN_C_BEGIN_

/** A stamp. */
typedef uint64_t timing_t;

/** Nothing: the counter is there. Context: either. */
static inline void timing_init(void)
{
}

/** Nothing: the counter counts. Context: either. */
static inline void timing_start(void)
{
}

/** Nothing: the kernel needs the counter. Context: either. */
static inline void timing_stop(void)
{
}

/** Returns a stamp. Context: either. */
static inline timing_t timing_counter_get(void)
{
	return k_cycle_get_64();
}

/** Returns the cycles from one stamp to the other. Context: either. */
static inline uint64_t timing_cycles_get(volatile timing_t *const start,
					 volatile timing_t *const end)
{
	return *end - *start;
}

/** Returns how many cycles a second has. Context: either. */
static inline uint64_t timing_freq_get(void)
{
	return sys_clock_hw_cycles_per_sec();
}

/** Returns how many cycles a microsecond has, rounded down. Context: either. */
static inline uint32_t timing_freq_get_mhz(void)
{
	return sys_clock_hw_cycles_per_sec() / 1000000U;
}

/** Returns so many cycles in nanoseconds, rounded down. Context: either. */
static inline uint64_t timing_cycles_to_ns(uint64_t cycles)
{
	return k_cyc_to_ns_floor64(cycles);
}

/**
 * Returns the mean of `count` measurements of `cycles` in all, in nanoseconds; count is not 0.
 * Context: either.
 */
static inline uint64_t timing_cycles_to_ns_avg(uint64_t cycles, uint32_t count)
{
	return timing_cycles_to_ns(cycles) / count;
}

EXTERN_C_END_

#endif /* ZEPHYR_TIMING_TIMING_H */
