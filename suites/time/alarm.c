/* SPDX-License-Identifier: Apache-2.0 */
/* The alarm's interrupt: nothing is due any more, or one timer expires. */
#include "time.h"

#define AHEAD 2U       /* ticks until the alarm */
#define FAR   (1U << 20) /* and until the others, */
#define APART 64U

static struct measure_row row;
static volatile uint32_t called; /* when the callback began */
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

static __attribute__((noipa)) void empty_callback(struct k_timer *timer)
{
	calls++;
}

/* One sample: the timer is started and, for the row of nothing, stopped again. */
static void sample(k_timer_expiry_t expiry)
{
	uint32_t start = next_tick();
	struct measure_window window;
	struct k_timer timer;
	uint32_t before = calls;
	bool came;

	k_timer_init(&timer, expiry, NULL);
	k_timer_start(&timer, K_TICKS(AHEAD), K_NO_WAIT);
	if (expiry == NULL) {
		k_timer_stop(&timer);
	}
	hold_back(start, AHEAD);
	came = arrive(&window);
	measure_witness(&row, "interrupted", came);
	measure_witness(&row, "expired", calls - before == (expiry == NULL ? 0U : 1U));
	measure_witness(&row, "others_pending", others_are_pending());
	measure_add(&row, window.start, expiry == callback ? called : window.end);
}

static void measure(const char *operation, const char *text, unsigned int number,
		    k_timer_expiry_t expiry)
{
	others_begin(number, FAR, APART);
	measure_row_begin(&row, row_id(operation, "", number), text);
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; sweep_wants(i); i++) {
		sample(expiry);
	}
	measure_row_end(&row);
	others_end();
}

/* Before each sample `number` time-outs are set and taken back. */
static void measure_cancelled(unsigned int number)
{
	measure_row_begin(&row, row_id("alarm.nothing.cancelled", "", number),
			  "Alarm with nothing due, after others were stopped");
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; sweep_wants(i); i++) {
		others_begin(number, 100, 37);
		others_end();
		sample(NULL);
	}
	measure_row_end(&row);
}

void time_alarm(void)
{
	struct measure_window window;

	hold_back(k_cycle_get_32(), 0);
	(void)arrive(&window); /* what an interrupt is held against */
	/* Bound: the numbers. */
	for (unsigned int n = 0; n < NUMBERS; n++) {
		unsigned int number = others_number(n);

		if (number != 0) {
			measure("alarm.nothing", "Alarm with nothing due, whole interrupt", number,
				NULL);
			measure("timer.expiry.whole", "A timer expires, whole interrupt", number,
				empty_callback);
			measure("timer.expiry.callback", "A timer expires, to its callback", number,
				callback);
			measure_cancelled(number);
		}
	}
}
