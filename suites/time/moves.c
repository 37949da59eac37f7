/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rare end of an expiry: others were armed so that they share a slot of a higher level
 * of the timeout wheel with the one that expires, and have to move down in that interrupt.
 * The last digit of a tick is 16 here, as there (kernel/time/timeout.c); what expires is due
 * at a multiple of it, the others 8 to 15 ticks later.
 */
#include "time.h"

#define SAMPLES ((uint32_t)CONFIG_MEASURE_SAMPLES)
#define DIGIT   16U

static struct measure_row whole;
static struct measure_row until_callback;
static volatile uint32_t called;
static volatile uint32_t calls;

static __attribute__((noipa)) void count_call(void)
{
	calls++;
}

static __attribute__((noipa)) void callback(struct k_timer *timer)
{
	uint32_t start = measure_stamp();

	measure_fence_stamp(start);
	called = start;
	count_call();
}

static void sample(unsigned int number)
{
	k_ticks_t room = number > 64U ? DIGIT : 0; /* to start so many takes some ticks */
	struct measure_window window;
	struct k_timer timer;
	uint32_t before = calls;
	uint32_t start;
	k_ticks_t ahead;
	bool came;

	settle();
	start = next_tick();
	ahead = room + DIGIT - (k_ticks_t)k_uptime_ticks() % DIGIT;
	k_timer_init(&timer, callback, NULL);
	k_timer_start(&timer, K_TICKS(ahead), K_NO_WAIT);
	others_begin_within(number, ahead + DIGIT / 2U, DIGIT / 2U);
	hold_back(start, ahead);
	came = arrive(&window);
	measure_witness(&whole, "interrupted", came);
	measure_witness(&whole, "expired", calls - before == 1U);
	measure_witness(&whole, "others_pending", others_are_pending());
	measure_witness(&until_callback, "expired", calls - before == 1U);
	measure_add(&whole, window.start, window.end);
	measure_add(&until_callback, window.start, called);
	others_end();
}

void time_moves(void)
{
	/* Bound: the numbers. */
	for (unsigned int n = 0; n < NUMBERS; n++) {
		unsigned int number = others_number(n);

		if (number == 0) {
			continue;
		}
		measure_row_begin(&whole, row_id("timer.expiry.moves.whole", "", number),
				  "A timer expires and others move down, whole interrupt");
		measure_row_begin(&until_callback,
				  row_id("timer.expiry.moves.callback", "", number),
				  "A timer expires and others move down, to its callback");
		/* Bound: SAMPLES. */
		for (uint32_t i = 0; i < SAMPLES; i++) {
			sample(number);
		}
		measure_row_end(&whole);
		measure_row_end(&until_callback);
	}
}
