/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does the library measure what is there? Windows around a known number of
 * instructions: n of them are measured as n. In instructions that is a law, and a row
 * that breaks it fails; in cycles it is one for cores that take one a cycle out of
 * memory without wait states, and elsewhere the rows show how far it is from there.
 *
 * No instruction is no row, since nothing is no figure: the suite fails unless it is
 * measured as 0. The last rows are the cost of calling a function that does nothing and
 * of its return, with all registers lost that a call may change, the second time with
 * one instruction before it, so that the call lies elsewhere in its word: a stamp must
 * not depend on what stands before it, so the rows differ by that instruction.
 */
#include <measure.h>

#define REPEAT(n, instruction) __asm__ volatile(".rept " #n "\n\t" instruction "\n\t.endr")

MEASURE_WINDOW(nop_0, )
MEASURE_WINDOW(nop_1, REPEAT(1, "nop"))
MEASURE_WINDOW(nop_10, REPEAT(10, "nop"))
MEASURE_WINDOW(nop_100, REPEAT(100, "nop"))
MEASURE_WINDOW(nop_400, REPEAT(400, "nop"))

static __attribute__((noipa)) void do_nothing(void)
{
}

MEASURE_WINDOW(call, do_nothing())
MEASURE_WINDOW(nop_1_call, REPEAT(1, "nop"); do_nothing())

static struct measure_row row;

static void calibrate(const char *id, const char *text, measure_window_fn window, int32_t expected)
{
	measure_row_begin(&row, id, text);
	/* Bound: CONFIG_MEASURE_SAMPLES. */
	for (uint32_t i = 0; i < (uint32_t)CONFIG_MEASURE_SAMPLES; i++) {
		struct measure_window sample;

		(void)window(&sample);
		measure_add(&row, sample.start, sample.end);
		measure_witness(&row, "executed", true);
		if (!measure_unit_is_cycles()) {
			measure_witness(&row, "exact", row.min == expected && row.max == expected);
		}
	}
	measure_row_end(&row);
}

static void check_nothing(void)
{
	measure_row_begin(&row, "calib.nop000", "No instruction");
	if (measure_overhead("overhead.nop000", nop_0) != row.overhead) {
		measure_fail(&row, "a window around nothing is not measured as 0");
		measure_row_end(&row);
	}
}

int main(void)
{
	measure_begin("calibration");
	check_nothing();
	calibrate("calib.nop001", "1 instruction", nop_1, 1);
	calibrate("calib.nop010", "10 instructions", nop_10, 10);
	calibrate("calib.nop100", "100 instructions", nop_100, 100);
	calibrate("calib.nop400", "400 instructions", nop_400, 400);
	calibrate("calib.call", "Call a function that does nothing", call, 2);
	calibrate("calib.call.nop001", "1 instruction, and that call elsewhere", nop_1_call, 3);
	k_exit(measure_end());
}
