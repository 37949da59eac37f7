/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The alarm wakes threads that sleep: one that is above main(), up to its first instruction;
 * 16 of them in one tick, with and without their own work, which is to sleep again.
 */
#include "time.h"

#define SLEEPERS 16U
#define AHEAD    2U /* ticks that k_sleep(K_TICKS(1)) takes */
#define FAR      (1U << 20)
#define APART    64U

static struct measure_row row;
static struct measure_row back; /* the same up to main()'s going on */
static struct measure_window woken;
static volatile uint32_t rounds;

static struct k_thread sleepers[SLEEPERS];
static K_THREAD_STACK_ARRAY_DEFINE(stacks, SLEEPERS, 512);

MEASURE_WINDOW(sleep, result = k_sleep(K_TICKS(1)))

static void sleeper_entry(void *p1, void *p2, void *p3)
{
	for (;;) {
		(void)sleep(&woken);
		rounds++;
	}
}

static void many_entry(void *p1, void *p2, void *p3)
{
	for (;;) {
		(void)k_sleep(K_TICKS(1));
		rounds++;
	}
}

static void create(unsigned int number, k_thread_entry_t entry, int prio)
{
	/* Bound: SLEEPERS. */
	for (unsigned int i = 0; i < number; i++) {
		(void)k_thread_create(&sleepers[i], stacks[i], K_THREAD_STACK_SIZEOF(stacks[i]),
				      entry, NULL, NULL, NULL, prio, 0, K_FOREVER);
	}
}

static uint32_t start_all(unsigned int number)
{
	uint32_t start = next_tick();

	/* Bound: SLEEPERS. */
	for (unsigned int i = 0; i < number; i++) {
		k_thread_start(&sleepers[i]);
	}
	return start;
}

static void end_all(unsigned int number)
{
	/* Bound: SLEEPERS. */
	for (unsigned int i = 0; i < number; i++) {
		k_thread_abort(&sleepers[i]);
	}
}

static unsigned int count_ready(void)
{
	unsigned int ready = 0;

	/* Bound: SLEEPERS. */
	for (unsigned int i = 0; i < SLEEPERS; i++) {
		ready += (sleepers[i].state & K_THREAD_QUEUED) != 0 ? 1U : 0U;
	}
	return ready;
}

static void let_them_sleep(void)
{
	k_thread_priority_set(k_current_get(), K_PRIO_PREEMPT(10));
	k_thread_priority_set(k_current_get(), TIME_PRIO);
}

static void measure_one(unsigned int number)
{
	uint32_t start;

	others_begin(number, FAR, APART);
	measure_row_begin(&row, row_id("sleep.expiry.wake+ctx", "", number),
			  "Alarm to the thread that slept");
	measure_row_begin(&back, row_id("sleep.expiry.whole", "", number),
			  "The same, it sleeps again, back in the thread that ran");
	create(1, sleeper_entry, ABOVE_PRIO);
	start = start_all(1);
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; sweep_wants(i); i++) {
		struct measure_window window;
		uint32_t before = rounds;

		hold_back(start, AHEAD);
		start += AHEAD * TICK_CYCLES;
		measure_witness(&back, "interrupted", arrive(&window));
		measure_witness(&row, "woken", rounds == before + 1U);
		measure_witness(&row, "others_pending", others_are_pending());
		measure_add(&row, window.start, woken.end);
		measure_add(&back, window.start, window.end);
	}
	end_all(1);
	measure_row_end(&row);
	measure_row_end(&back);
	others_end();
}

/* `below`: main() goes on after the interrupt. */
static void measure_many(const char *operation, const char *text, unsigned int number, bool below)
{
	uint32_t start;

	others_begin(number, FAR, APART);
	measure_row_begin(&row, row_id(operation, "", number), text);
	create(SLEEPERS, many_entry, below ? BELOW_PRIO : ABOVE_PRIO);
	start = start_all(SLEEPERS);
	if (below) {
		let_them_sleep();
	}
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; sweep_wants(i); i++) {
		struct measure_window window;
		uint32_t before = rounds;

		hold_back(start, AHEAD);
		start += AHEAD * TICK_CYCLES;
		measure_witness(&row, "interrupted", arrive(&window));
		if (below) {
			measure_witness(&row, "ready", count_ready() == SLEEPERS);
			let_them_sleep();
		}
		measure_witness(&row, "woken", rounds == before + SLEEPERS);
		measure_witness(&row, "others_pending", others_are_pending());
		measure_add(&row, window.start, window.end);
	}
	end_all(SLEEPERS);
	measure_row_end(&row);
	others_end();
}

void time_sleepers(void)
{
	/* Bound: the numbers. */
	for (unsigned int n = 0; n < NUMBERS; n++) {
		unsigned int number = others_number(n);

		if (number != 0) {
			measure_one(number);
			measure_many("sleep.expiry.16.interrupt",
				     "16 threads woken in a tick, interrupt only", number, true);
			measure_many("sleep.expiry.16.whole",
				     "16 threads woken in a tick, each sleeps again", number,
				     false);
		}
	}
}
