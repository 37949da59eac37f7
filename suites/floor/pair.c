/* SPDX-License-Identifier: Apache-2.0 */
/* See pair.h. The partner is not a thread: the kernel knows nothing of it. */
#include "pair.h"

#define SAMPLES ((uint32_t)CONFIG_MEASURE_SAMPLES)

enum side { MAIN, PARTNER };

K_THREAD_STACK_DEFINE(floor_partner_stack, FLOOR_STACK_SIZE);

static struct measure_row rows[2];
static struct measure_window windows[2];
static const struct floor_side *sides[2];
static enum side side; /* whose call returned last */

/* A call of `self` has returned: the other context must have run meanwhile. */
static bool took_over(enum side self)
{
	bool has_switched = side != self;

	side = self;
	return has_switched;
}

void floor_partner_entry(void)
{
	side = PARTNER;
	/* Bound: main stops handing over after its last sample. */
	for (;;) {
		(void)sides[PARTNER]->window(&windows[PARTNER]);
		measure_add(&rows[PARTNER], windows[PARTNER].start, windows[MAIN].end);
		measure_witness(&rows[PARTNER], "switches", took_over(PARTNER));
	}
}

void floor_pair(const struct floor_side *partner_side, const struct floor_side *main_side)
{
	sides[PARTNER] = partner_side;
	sides[MAIN] = main_side;
	measure_row_begin(&rows[PARTNER], partner_side->id, partner_side->text);
	measure_row_begin(&rows[MAIN], main_side->id, main_side->text);

	/* The first call finds the partner before its loop: there is no window's end there. */
	(void)main_side->window(&windows[MAIN]);
	(void)took_over(MAIN);
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; i < SAMPLES; i++) {
		(void)main_side->window(&windows[MAIN]);
		measure_add(&rows[MAIN], windows[MAIN].start, windows[PARTNER].end);
		measure_witness(&rows[MAIN], "switches", took_over(MAIN));
	}
	measure_row_end(&rows[PARTNER]);
	measure_row_end(&rows[MAIN]);
}
