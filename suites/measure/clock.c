/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock comes first: a figure is worth what its clock is worth. Tested are that
 * the counter moves, never backwards, within the width that the board declares; how
 * fine it is; and its rate against a second clock, which is the kernel's timer.
 *
 * The width can't be tested by waiting for a wrap (43 seconds for 32 bits at 100 MHz).
 * Instead each window is refused that is longer than half the counter's range, and the
 * rate would come out wrong if the counter had fewer bits than it takes to measure it.
 */
#include "private.h"

#define READS          256U     /* successive stamps that have to rise */
#define RATE_TICKS     20000U   /* of either clock, at least: 1/10000 is resolved */
#define RATE_READS     1000000U /* at most, if the second clock stands still */
#define RATE_PER_MILLE 10U      /* what the rate may be off */

static uint32_t greatest_common_divisor(uint32_t a, uint32_t b)
{
	/* Bound: 2 * 32 steps. */
	while (b != 0) {
		uint32_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Different distances between stamps, so that a counter of coarse steps shows them. */
static uint32_t find_granule(void)
{
	uint32_t granule = 0;

	/* Bound: 64 rounds of at most 63 steps. */
	for (uint32_t distance = 0; distance < 64; distance++) {
		uint32_t start = measure_stamp();

		for (uint32_t step = 0; step < distance; step++) {
			measure_fence();
		}
		granule = greatest_common_divisor(ticks_between(start, measure_stamp()), granule);
	}
	return granule;
}

static const char *find_disorder(void)
{
	uint32_t previous = measure_stamp();
	uint32_t moved = 0;

	/* Bound: READS. */
	for (uint32_t i = 0; i < READS; i++) {
		uint32_t now = measure_stamp();
		uint32_t step = ticks_between(previous, now);

		if ((now & ~STAMP_MASK) != 0) {
			return "the counter is wider than the board declares";
		}
		if (step > LONGEST_WINDOW) {
			return "the counter runs backwards";
		}
		moved += step != 0 ? 1U : 0U;
		previous = now;
	}
	return moved != 0 ? NULL : "the counter stands still";
}

/*
 * Both clocks are read twice, in the same order, so that the time between the two
 * readings falls out. A short counter may wrap in the meantime: its steps are summed.
 * Returns the rate in Hz, or 0 when the second clock stands still.
 */
static uint32_t measure_rate(void)
{
	uint32_t second_start = k_cycle_get_32();
	uint32_t last = measure_stamp();
	uint32_t second = 0;
	uint64_t ticks = 0;

	/* Bound: RATE_READS. */
	for (uint32_t i = 0; second < RATE_TICKS || ticks < RATE_TICKS; i++) {
		uint32_t now;

		if (i == RATE_READS) {
			return 0;
		}
		second = k_cycle_get_32() - second_start;
		now = measure_stamp();
		ticks += ticks_between(last, now);
		last = now;
	}
	return (uint32_t)((ticks * sys_clock_hw_cycles_per_sec() + second / 2U) / second);
}

struct clock_facts clock_test(void)
{
	struct clock_facts facts = {.failure = find_disorder()};
	uint64_t declared = BOARD_CLOCK_HZ;
	uint64_t off;

	if (facts.failure != NULL) {
		return facts;
	}
	facts.granule_ticks = find_granule();
	facts.measured_hz = measure_rate();
	off = facts.measured_hz > declared ? facts.measured_hz - declared
					   : declared - facts.measured_hz;
	if (facts.granule_ticks == 0) {
		facts.failure = "the counter is too coarse to show its own steps";
	} else if (facts.measured_hz == 0) {
		facts.failure = "the kernel's clock stands still beside it";
	} else if (off * 1000U > declared * RATE_PER_MILLE) {
		facts.failure = "the clock is not the one that the board declares";
	}
	return facts;
}
