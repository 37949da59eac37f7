/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that set a time-out, and those that take it back before its time. */
#include "time.h"

static const struct place places[] = {
	{"near.last", 1000, 1, 2000, 0},
	{"near.first", 3000, 1, 2900, 2},
	{"far.last", 1U << 20, 64, 1U << 22, 0},
	{"far.first", 1U << 22, 64, 1U << 20, 2},
};

static struct k_timer timer;
static K_SEM_DEFINE(sem, 0, 1);
static k_timeout_t duration;
static k_ticks_t sooner;

MEASURE_WINDOW(start, k_timer_start(&timer, duration, K_NO_WAIT))
MEASURE_WINDOW(stop, k_timer_stop(&timer))
MEASURE_WINDOW(take, result = k_sem_take(&sem, duration))
MEASURE_WINDOW(give, k_sem_give(&sem))
MEASURE_WINDOW(sleep, result = k_sleep(duration))
MEASURE_WINDOW(wake, k_wakeup(&measure_waiter))
MEASURE_WINDOW(uptime_get, result = (intptr_t)k_uptime_get())
MEASURE_WINDOW(uptime_ticks, result = (intptr_t)k_uptime_ticks())

static void set_duration(void)
{
	duration.ticks -= sooner;
}

static void start_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "started", k_timer_remaining_ticks(&timer) >= duration.ticks - 1U);
	measure_witness(row, "others_pending", others_are_pending());
}

static void stop_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "stopped", k_timer_remaining_ticks(&timer) == 0);
}

static void take_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "taken", result == 0);
	measure_witness(row, "others_pending", others_are_pending());
}

static void sleep_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "woken_early", result > 0);
	measure_witness(row, "others_pending", others_are_pending());
}

static void place_begin(const struct place *place, unsigned int number)
{
	settle();
	others_begin(number, place->others, place->apart);
	duration = K_TICKS(place->ours);
	/* A sweep takes many more samples than there are ticks to take away. */
	sooner = IS_ENABLED(CONFIG_MEASURE_SWEEP) ? 0 : place->sooner;
}

static void measure_timer(const struct place *place, unsigned int number)
{
	place_begin(place, number);
	measure_turns(&(struct measure_operation){row_id("timer.start", place->words, number),
						  "Start a timer", start, set_duration,
						  start_after},
		      &(struct measure_operation){row_id("timer.stop", place->words, number),
						  "Stop it", stop, NULL, stop_after});
	others_end();
}

static void measure_take(const struct place *place, unsigned int number)
{
	place_begin(place, number);
	measure_pair(&(struct measure_pair){
		.wait = {row_id("semaphore.take.timeout.blocking", place->words, number),
			 "Take a semaphore, with a time-out, and block", take, set_duration,
			 take_after},
		.wake = {row_id("semaphore.give.timeout.wake+ctx", place->words, number),
			 "Give it to the thread that waits with a time-out", give, NULL, NULL},
		.wait_q = &sem.wait_q,
	});
	others_end();
}

static void measure_sleep(const struct place *place, unsigned int number)
{
	place_begin(place, number);
	measure_pair(&(struct measure_pair){
		.wait = {row_id("sleep.blocking", place->words, number),
			 "Sleep, to the next thread", sleep, set_duration, sleep_after},
		.wake = {row_id("sleep.wakeup+ctx", place->words, number),
			 "Wake a sleeping thread before its time", wake, NULL, NULL},
	});
	others_end();
}

void time_calls(void)
{
	k_timer_init(&timer, NULL, NULL);
	/* Bound: the places and numbers. */
	for (unsigned int i = 0; i < ARRAY_SIZE(places) * NUMBERS; i++) {
		unsigned int number = others_number(i % NUMBERS);

		if (number != 0) {
			measure_timer(&places[i / NUMBERS], number);
			measure_take(&places[i / NUMBERS], number);
			measure_sleep(&places[i / NUMBERS], number);
		}
	}
}

static int64_t known; /* the time by the call before */

static void look(void)
{
	known = k_uptime_get();
}

/* Looks, and lets two ticks pass that the kernel is not told of. */
static void look_long_before(void)
{
	uint32_t then;

	look();
	then = k_cycle_get_32();
	while (k_cycle_get_32() - then < 2U * TICK_CYCLES) { /* Bound: two ticks. */
	}
}

static void get_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "right", result >= known && result <= k_uptime_get());
}

static void ticks_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "right", result <= k_uptime_ticks() && result > 0);
}

void time_uptime(void)
{
	measure_single(&(struct measure_operation){"uptime.get.same_tick",
						   "Uptime in ms, in the tick of the call before",
						   uptime_get, look, get_after});
	measure_single(&(struct measure_operation){"uptime.get.later_tick",
						   "Uptime in ms, two ticks after the call before",
						   uptime_get, look_long_before, get_after});
	measure_single(&(struct measure_operation){"uptime.ticks.same_tick", "Uptime in ticks",
						   uptime_ticks, look, ticks_after});
}
