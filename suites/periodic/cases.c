/* SPDX-License-Identifier: Apache-2.0 */
/*
 * KernelPerf's test cases 0 to 12, to be watched by `foliot scope`. What they do is the
 * seed's; how long they run is not, since a tick of a million cycles takes a second to
 * simulate. The overload of cases 1 and 2 ends after half of the ticks, so that the
 * recovery is on the record too.
 *
 * Where the board has input pins, the lower four say which case runs (n + 1; 0: all) and
 * the upper four for how many ticks (0: CONFIG_PERIODIC_TICKS). A tick is the usual one: in
 * case 12, where they are half as long, there are twice as many, so that all cases
 * show the same time.
 */
#include "cases.h"
#include "inputs.h"

#define LOAD  930 /* permille: nearly all of the tick */
#define LIGHT 500 /* after an overload, so that it is made up for in a few ticks */

const struct periodic_case periodic_cases[] = {
	{0, 16, 0, false, TICK_UNITS, LOAD, 0, 12, PRINT_SPINNING, false},
	{1, 16, 0, false, TICK_UNITS, LIGHT, 1100, 12, PRINT_SPINNING, false},
	{2, 16, 0, false, TICK_UNITS, LIGHT, 1300, 12, PRINT_SPINNING, false},
	{3, 16, 0, false, TICK_UNITS, LOAD, 0, 30, PRINT_SPINNING, true},
	{4, 16, 0, false, TICK_UNITS, LOAD, 0, 40, PRINT_SPINNING, true},
	{5, 16, 0, false, TICK_UNITS, LOAD, 0, 50, PRINT_SPINNING, true},
	{6, 16, 0, false, TICK_UNITS, LOAD, 0, 30, PRINT_SLEEPING, true},
	{7, 16, 0, false, TICK_UNITS, LOAD, 0, 40, PRINT_SLEEPING, true},
	{8, 16, 0, false, TICK_UNITS, LOAD, 0, 50, PRINT_SLEEPING, true},
	{9, 16, 8, false, TICK_UNITS, LOAD, 0, 12, PRINT_SPINNING, false},
	{10, 8, 0, false, TICK_UNITS, LOAD, 0, 12, PRINT_SPINNING, false},
	{11, 16, 0, true, TICK_UNITS, LOAD, 0, 12, PRINT_SPINNING, false},
	{12, 16, 0, false, TICK_UNITS / 2, LOAD, 0, 12, PRINT_SPINNING, false},
};
const unsigned int periodic_cases_count = ARRAY_SIZE(periodic_cases);

#ifdef BOARD_UART2_BASE
#define HAS_UART2 true
#else
#define HAS_UART2 false
#endif

int main(void)
{
	unsigned int wanted = inputs() & 15U;
	unsigned int ticks = inputs() >> 4U;

	ticks = ticks == 0 ? CONFIG_PERIODIC_TICKS : ticks;
	k_thread_priority_set(k_current_get(), K_PRIO_COOP(0));
	measure_begin("periodic");
	work_calibrate();
	/* Bound: the cases. */
	for (unsigned int i = 0; i < periodic_cases_count; i++) {
		const struct periodic_case *c = &periodic_cases[i];

		if ((wanted == 0 || wanted == c->number + 1U) && (HAS_UART2 || !c->needs_uart)) {
			run_case(c, ticks * (TICK_UNITS / c->tick_units));
		}
	}
	k_exit(measure_end());
}
