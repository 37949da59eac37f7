/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bare switch: a function call that saves what a call must keep, swaps stack
 * pointers and restores. It is the floor of both yield rows, one from each side.
 */
#include "pair.h"

static void *other;

MEASURE_WINDOW(yield, floor_yield(&other))

void floor_measure_yield(void)
{
	other = floor_prepare(floor_partner_stack + FLOOR_STACK_SIZE, floor_partner_entry);
	floor_pair(&(struct floor_side){"thread.yield.preemptive.ctx.k_to_k",
					"Context switch via k_yield", yield},
		   &(struct floor_side){"thread.yield.cooperative.ctx.k_to_k",
					"Context switch via k_yield", yield});
}
