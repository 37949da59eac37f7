/* SPDX-License-Identifier: Apache-2.0 */
/* A run: what is printed before and after its rows, and whether all of it can be trusted. */
#include "private.h"

#include <build_info.h>
#include "drivers/clock.h"

#define OVERHEAD_SAMPLES 64U

#ifdef CONFIG_ASSERT
#define ASSERTIONS 1
#else
#define ASSERTIONS 0
#endif

static struct {
	uint32_t rows;
	uint32_t failed;
	uint32_t granule; /* units */
	int32_t overhead; /* units */
} run;

MEASURE_WINDOW(nothing, )

void run_fail(const char *id, const char *text, const char *reason)
{
	run.failed++;
	printk("%-40s - %-50s : FAILED : %s\n", id, text, reason);
	record_begin("failure");
	record_string("id", id);
	record_string("reason", reason);
	record_end();
}

void run_count_row(void)
{
	run.rows++;
}

const char *run_unit(void)
{
	return FOLIOT_UNIT;
}

bool measure_unit_is_cycles(void)
{
	return FOLIOT_UNIT[0] == 'c';
}

int32_t thread_overhead(void)
{
	return run.overhead;
}

uint32_t clock_granule(void)
{
	return run.granule;
}

/*
 * The first few samples may find cold caches and a pipeline in another state; of the
 * rest nine in ten have to agree.
 */
int32_t measure_overhead(const char *id, measure_window_fn empty)
{
	uint32_t least = UINT32_MAX;
	uint32_t agree = 0;

	/* Bound: OVERHEAD_SAMPLES. */
	for (uint32_t i = 0; i < OVERHEAD_SAMPLES; i++) {
		struct measure_window window;
		uint32_t cost;

		(void)empty(&window);
		cost = ticks_to_units(ticks_between(window.start, window.end));
		if (cost < least) {
			least = cost;
			agree = 0;
		}
		agree += cost == least ? 1U : 0U;
	}
	if (agree * 10U < OVERHEAD_SAMPLES * 9U) {
		run_fail(id, "Cost of a pair of stamps", "it is not the same every time");
	}
	return (int32_t)least;
}

static void print_header(const char *suite, const struct clock_facts *clock)
{
	record_begin("header");
	record_integer("schema", 1);
	record_string("suite", suite);
	record_string("kernel_commit", FOLIOT_COMMIT);
	record_integer("dirty", FOLIOT_DIRTY);
	record_string("board", FOLIOT_BOARD);
	record_string("core", FOLIOT_CORE);
	record_string("unit", FOLIOT_UNIT);
	record_integer("clock_hz", clock->declared_hz);
	record_integer("clock_measured_hz", clock->measured_hz);
	if (clock_fallback() != NULL) {
		record_string("clock_fallback", clock_fallback());
	}
	record_key("counter");
	record_print("{\"name\":\"%s\",\"bits\":%u,\"granule\":%u,", BOARD_CYCLES_NAME,
		     (unsigned int)BOARD_CYCLES_BITS, run.granule);
	record_print("\"ticks_per_unit\":[%u,%u]}", (unsigned int)BOARD_CYCLES_NUM,
		     (unsigned int)BOARD_CYCLES_DEN);
	record_string("memory", FOLIOT_MEMORY);
	record_string("compiler", FOLIOT_COMPILER);
	record_string("flags", FOLIOT_FLAGS);
	record_key("configuration");
	record_print("%s", FOLIOT_CONFIGURATION);
	record_string("config_sha256", FOLIOT_CONFIG_SHA256);
	record_integer("assertions", ASSERTIONS);
	record_end();
}

void measure_begin(const char *suite)
{
	struct clock_facts clock = clock_test();

	stamps_init();
	run.granule = (uint32_t)(((uint64_t)clock.granule_ticks * TICKS_DEN + TICKS_NUM - 1U) /
				 TICKS_NUM);
	printk("Suite %s on %s, %s, in %s\n", suite, FOLIOT_BOARD, FOLIOT_CORE, FOLIOT_UNIT);
	printk("Clock %s, %u Hz by its board, %u Hz by a second clock\n", BOARD_CYCLES_NAME,
	       clock.declared_hz, clock.measured_hz);
	if (clock_fallback() != NULL) {
		printk("Not the board's clock: %s\n", clock_fallback());
	}
	print_header(suite, &clock);
	if (clock.failure != NULL) {
		run_fail("clock", "The clock that measures", clock.failure);
	}
	run.overhead = measure_overhead("overhead", nothing);
	sweep_init();
}

int measure_end(void)
{
	int status = run.failed == 0 && (run.rows != 0 || sweep_is_on()) ? 0 : 1;
	uint32_t crc = record_crc32();

	record_begin("end");
	record_integer("rows", run.rows);
	record_integer("failed", run.failed);
	record_key("crc32");
	record_print("\"%08x\"", crc);
	record_end();
	printk("PROJECT EXECUTION %s\n", status == 0 ? "SUCCESSFUL" : "FAILED");
	return status;
}
