/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks of words: empty, full, and with those who wait. */
#include "states.h"

K_STACK_DEFINE(words, 1);
static stack_data_t popped;

MEASURE_WINDOW(push, result = k_stack_push(&words, 7))
MEASURE_WINDOW(pop_now, result = k_stack_pop(&words, &popped, K_NO_WAIT))
MEASURE_WINDOW(pop, result = k_stack_pop(&words, &popped, K_FOREVER))
MEASURE_WINDOW(pop_timed, result = k_stack_pop(&words, &popped, K_SECONDS(100)))

static void fill(void)
{
	(void)k_stack_push(&words, 7);
	popped = 0;
}

static void pushed(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "pushed",
			result == 0 && k_stack_pop(&words, &popped, K_NO_WAIT) == 0 && popped == 7);
}

static void was_popped(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "popped", result == 0 && popped == 7);
}

static void refused(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "refused", result == -EBUSY);
}

static void refused_full(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "refused", result == -ENOMEM);
	(void)k_stack_pop(&words, &popped, K_NO_WAIT);
}

static void handed_over(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "handed_over", result == 0);
}

static void pop_once(void)
{
	stack_data_t word;

	(void)k_stack_pop(&words, &word, K_FOREVER);
}

void states_stack(void)
{
	states_single(&(struct measure_operation){"stack.push.immediate.kernel",
						  "Add data to k_stack (no ctx switch)", push, NULL,
						  pushed},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"stack.push.refused.kernel",
						  "Add data to a full k_stack", push, fill,
						  refused_full},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"stack.pop.immediate.kernel",
						  "Get data from k_stack (no ctx switch)", pop_now,
						  fill, was_popped},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"stack.pop.refused.kernel",
						  "Get from an empty k_stack, not waiting", pop_now,
						  NULL, refused},
		      CALLERS_ALL);
	states_pairs(&(struct states_pair){
		.pair = {.wait = {"stack.pop.blocking.k_to_k",
				  "Get data from k_stack (w/ ctx switch)", pop, NULL, was_popped},
			 .wake = {"stack.push.wake+ctx.k_to_k",
				  "Add data to k_stack (w/ ctx switch)", push, NULL, handed_over},
			 .wait_q = &words.wait_q},
		.wait_timed = pop_timed,
		.wait_once = pop_once,
		.no_switch_id = "stack.push.wake.kernel",
	});
}
