/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rare end of an expiry: others were armed so that they share a slot of a higher level
 * of the timeout wheel with the one that expires, and have to move down in that interrupt.
 * The last digit of a tick is 16 here, as there (kernel/time/timeout.c); what expires is due
 * at a multiple of it, the others 8 to 15 ticks later.
 */
#include "time.h"

#define DIGIT 16U

static struct measure_row whole;
static struct measure_row until_callback;
static struct measure_row until_last; /* the same of one that was armed after all others */
static volatile uint32_t called;
static volatile uint32_t calls;

static __attribute__((noipa)) void count_call(void)
{
	calls++;
}

static __attribute__((noipa)) void callback(struct k_timer *unused)
{
	uint32_t start = measure_stamp();

	measure_fence_stamp(start);
	called = start;
	count_call();
}

static struct k_timer timer;

static void sample(unsigned int number, bool as_last)
{
	k_ticks_t room = as_last || number > 64U ? DIGIT : 0; /* to start many takes ticks */
	struct measure_row *row = as_last ? &until_last : &until_callback;
	struct measure_window window;
	uint32_t before = calls;
	uint32_t start;
	k_ticks_t ahead;
	int64_t began;
	bool came;

	settle();
	start = next_tick();
	began = k_uptime_ticks();
	ahead = room + DIGIT - (k_ticks_t)began % DIGIT;
	k_timer_init(&timer, callback, NULL);
	if (!as_last) {
		k_timer_start(&timer, K_TICKS(ahead), K_NO_WAIT);
	}
	others_begin_within(number, ahead + DIGIT / 2U, DIGIT / 2U);
	if (as_last) {
		(void)next_tick(); /* it is the same one for both calls */
		k_timer_start(&timer, K_TICKS(ahead - (k_ticks_t)(k_uptime_ticks() - began)),
			      K_NO_WAIT);
	}
	hold_back(start, ahead);
	came = arrive(&window);
	measure_witness(row, "interrupted", came);
	measure_witness(row, "expired", calls - before == 1U);
	measure_witness(row, "others_pending", others_are_pending());
	measure_add(row, window.start, called);
	if (!as_last) {
		measure_witness(&whole, "interrupted", came);
		measure_witness(&whole, "expired", calls - before == 1U);
		measure_add(&whole, window.start, window.end);
	}
	k_timer_stop(&timer);
	others_end();
}

static void measure(unsigned int number)
{
	measure_row_begin(&whole, row_id("timer.expiry.moves.whole", "", number),
			  "A timer expires and others move down, whole interrupt");
	measure_row_begin(&until_callback, row_id("timer.expiry.moves.callback", "", number),
			  "A timer expires and others move down, to its callback");
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; sweep_wants(i); i++) {
		sample(number, false);
	}
	measure_row_end(&whole);
	measure_row_end(&until_callback);
	measure_row_begin(
		&until_last, row_id("timer.expiry.moves.callback", "last", number),
		"A timer expires and others, armed before it, move down, to its callback");
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; sweep_wants(i); i++) {
		sample(number, true);
	}
	measure_row_end(&until_last);
}

void time_moves(void)
{
	/* Bound: the numbers. */
	for (unsigned int n = 0; n < NUMBERS; n++) {
		if (others_number(n) != 0) {
			measure(others_number(n));
		}
	}
}
