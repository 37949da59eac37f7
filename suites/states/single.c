/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that do not switch: a row for each way to call them. */
#include "states.h"

static const struct measure_operation *operation;
static enum caller caller;
static bool was_so;

static intptr_t window_as(struct measure_window *stamps)
{
	return call_as(caller, operation->window, stamps, &was_so);
}

static void judge(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "called_so", was_so);
	if (operation->after != NULL) {
		operation->after(row, result);
	}
}

void states_single(const struct measure_operation *wanted, uint32_t callers)
{
	char id[64];

	operation = wanted;
	/* Bound: CALLERS. */
	for (caller = 0; caller < CALLERS; caller++) {
		if ((callers & (1U << caller)) != 0) {
			(void)snprintk(id, sizeof(id), "%s/%s", wanted->id, caller_name[caller]);
			measure_single(&(struct measure_operation){id, wanted->text, window_as,
								   wanted->before, judge});
		}
	}
}
