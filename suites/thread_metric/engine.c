/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A test: a stretch with a witness, then periods, each printed as Thread-Metric prints it.
 * A sample of the row is one period: its length over the rounds counted in it.
 */
#include "thread_metric.h"

#define RULES_MS 30000U
#define PERIODS  ((uint32_t)CONFIG_THREAD_METRIC_PERIODS)
#define INTERVAL ((uint32_t)CONFIG_THREAD_METRIC_INTERVAL_MS)

/* A period, in ticks. */
#define INTERVAL_TICKS ((int32_t)((uint64_t)INTERVAL * CONFIG_SYS_CLOCK_TICKS_PER_SEC / 1000U))
BUILD_ASSERT(INTERVAL_TICKS >= 2, "a period is two ticks or more");

/* Of each test, witnessed. */
#define WITNESSED_MS (1U + MIN(INTERVAL / 10U, 20U))

uint32_t tm_counter[TM_THREADS];

static struct measure_row row;

static struct {
	uint32_t rounds;
	uint32_t missed;
} witnessed;

void tm_witness(bool happened)
{
	if (!happened) {
		witnessed.missed++;
	}
	witnessed.rounds++; /* last: the thread is ended anywhere */
}

static void reset_counters(void)
{
	for (uint32_t i = 0; i < TM_THREADS; i++) {
		tm_counter[i] = 0;
	}
}

static void witness(const struct tm_test *test)
{
	reset_counters();
	witnessed.rounds = 0;
	witnessed.missed = 0;
	test->start(true);
	(void)k_sleep(K_MSEC(WITNESSED_MS));
	tm_threads_end();
}

/* What the rules ask: it goes on, and all counters are within one of their average. */
static bool counters_agree(const struct tm_test *test, uint32_t total)
{
	uint64_t sum = 0;
	uint32_t average;

	for (uint32_t i = 0; i < test->counters; i++) {
		sum += tm_counter[i];
	}
	average = (uint32_t)(sum / MAX(test->counters, 1U));
	for (uint32_t i = 0; i < test->counters; i++) {
		if (tm_counter[i] + 1U < average || tm_counter[i] > average + 1U) {
			return false;
		}
	}
	return total != 0;
}

/* And what they don't: a thread that is run by another's call counts before that one. */
static bool none_overtook(const struct tm_test *test)
{
	for (uint32_t i = 1; i < test->counters; i++) {
		if (tm_counter[i] > tm_counter[i - 1U]) {
			return false;
		}
	}
	return true;
}

static uint32_t count_of(const struct tm_test *test)
{
	uint32_t count = tm_counter[test->counters - 1U];

	if (test->summed) {
		for (uint32_t i = 0; i + 1U < test->counters; i++) {
			count += tm_counter[i];
		}
	}
	return count;
}

/* Seconds, with a fraction only where they have one: as Thread-Metric prints them. */
static void print_period(const struct tm_test *test, uint32_t number, uint32_t total, bool agree)
{
	uint32_t ms = number * INTERVAL;

	printk("**** Thread-Metric %s Test **** Relative Time: %u", test->name, ms / 1000U);
	if (INTERVAL % 1000U != 0) {
		printk(".%03u", ms % 1000U);
	}
	printk("\n");
	if (!agree) {
		printk("ERROR: Invalid counter value(s). %s\n", test->error);
		for (uint32_t i = 0; i < test->counters; i++) {
			printk("   %u: %u\n", i, tm_counter[i]);
		}
	}
	printk("Time Period Total:  %u\n\n", total);
}

/*
 * One period, from tick to tick: what is slept is at least what was asked for, and from the
 * middle of a tick one more. Stamps are taken while no other thread runs.
 */
static void measure_period(const struct tm_test *test, uint32_t number)
{
	uint32_t before;
	uint32_t start;
	uint32_t end;
	uint32_t total;
	bool agree;

	(void)k_sleep(K_TICKS(1));
	before = count_of(test);
	start = measure_stamp();
	(void)k_sleep(K_TICKS(INTERVAL_TICKS - 1));
	end = measure_stamp();
	total = count_of(test) - before;
	agree = counters_agree(test, total);
	print_period(test, number, total, agree);
	measure_witness(&row, test->witness, witnessed.rounds != 0 && witnessed.missed == 0);
	measure_witness(&row, "counters_agree", agree);
	measure_witness(&row, "none_overtook", none_overtook(test));
	row.batch = total;
	measure_add(&row, 0, total == 0 ? 0 : (end - start + total / 2U) / total);
}

void tm_run(const struct tm_test *test)
{
	witness(test);
	printk("Interval: %u ms%s\n", INTERVAL,
	       INTERVAL == RULES_MS ? "" : ", not the 30 s that the rules say");
	measure_row_begin(&row, test->id, test->text);
	row.overhead = 0; /* no stamps in the loop */
	reset_counters();
	test->start(false);
	for (uint32_t i = 0; i < PERIODS; i++) {
		measure_period(test, i + 1U);
	}
	tm_threads_end();
	measure_row_end(&row);
}
