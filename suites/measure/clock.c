/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock comes first: a figure is worth what its clock is worth. Tested are that
 * the counter moves, never backwards, within the width that the board declares; how
 * fine it is; and its rate against a second clock (second_clock.h).
 *
 * The width can't be tested by waiting for a wrap (43 seconds for 32 bits at 100 MHz).
 * Instead each window is refused that is longer than half the counter's range, and the
 * rate would come out wrong if the counter had fewer bits than it takes to measure it.
 */
#include "private.h"
#include "second_clock.h"

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

MEASURE_WINDOW(no_instruction, )
MEASURE_WINDOW(one_instruction, __asm__ volatile("nop"))

static uint32_t length_of(measure_window_fn window)
{
	struct measure_window stamps;

	(void)window(&stamps);
	return ticks_between(stamps.start, stamps.end);
}

/*
 * What all distances between stamps are multiples of. Some differ by one instruction,
 * which shows that a unit is resolved; others grow, so that a counter of coarse steps
 * shows those.
 */
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
		granule = greatest_common_divisor(length_of(no_instruction), granule);
		granule = greatest_common_divisor(length_of(one_instruction), granule);
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

struct readings {
	uint32_t second;
	uint32_t stamp;
};

/* Out of line, so that the time between the two readings is always the same. */
static __noinline struct readings read_both(void)
{
	struct readings now;

	now.second = second_clock_read();
	now.stamp = measure_stamp();
	return now;
}

/*
 * Either clock may wrap in the meantime, so their steps are summed. Returns the rate in
 * Hz, or 0 when the second clock stands still.
 */
static uint32_t measure_rate(void)
{
	uint32_t second_hz = second_clock_start();
	struct readings last = read_both();
	uint64_t second = 0;
	uint64_t ticks = 0;

	/* Bound: RATE_READS. */
	for (uint32_t i = 0; second < RATE_TICKS || ticks < RATE_TICKS; i++) {
		struct readings now = read_both();

		if (i == RATE_READS) {
			second_clock_stop();
			return 0;
		}
		second += (now.second - last.second) & second_clock_mask;
		ticks += ticks_between(last.stamp, now.stamp);
		last = now;
	}
	second_clock_stop();
	return (uint32_t)((ticks * second_hz + second / 2U) / second);
}

struct clock_facts clock_test(void)
{
	struct clock_facts facts = {.failure = find_disorder(), .declared_hz = CLOCK_HZ};
	uint64_t declared;
	uint64_t off;

	if (facts.failure != NULL) {
		return facts;
	}
	facts.granule_ticks = find_granule();
	facts.measured_hz = measure_rate();
#ifdef BOARD_CYCLES_NO_RATE
	/* Of what happened meanwhile, and may be otherwise at any time. */
	facts.declared_hz = MAX(facts.measured_hz, 1U);
#endif
	declared = facts.declared_hz;
	off = facts.measured_hz > declared ? facts.measured_hz - declared
					   : declared - facts.measured_hz;
	if (facts.granule_ticks == 0) {
		facts.failure = "the counter is too coarse to show its own steps";
	} else if (facts.measured_hz == 0) {
		facts.failure = "the second clock stands still beside it";
	} else if (off * 1000U > declared * RATE_PER_MILLE) {
		facts.failure = "the clock is not the one that the board declares";
	}
	return facts;
}
