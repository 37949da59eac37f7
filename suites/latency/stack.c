/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks of words. Windows: one call, or, in the pair, one call until the other
 * thread's own call has returned. What is popped must be what was pushed.
 */
#include "latency.h"

K_STACK_DEFINE(words, 16);
static MEASURE_SHARED stack_data_t serial;
static MEASURE_SHARED stack_data_t popped;

MEASURE_WINDOW(push, result = k_stack_push(&words, serial))
MEASURE_WINDOW(pop_now, result = k_stack_pop(&words, &popped, K_NO_WAIT))
MEASURE_WINDOW(pop, result = k_stack_pop(&words, &popped, K_FOREVER))

static void push_before(void)
{
	serial++;
}

static void push_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "pushed", result == 0);
}

static void pop_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "received", result == 0 && popped == serial);
}

static void grant(k_tid_t thread)
{
	k_thread_access_grant(thread, &words);
}

static void measure_users(void)
{
	measure_user_open(grant);
	measure_user_turns(&(struct measure_operation){"stack.push.immediate.user",
						       "Add data to k_stack (no ctx switch)", push,
						       push_before, push_after},
			   &(struct measure_operation){"stack.pop.immediate.user",
						       "Get data from k_stack (no ctx switch)",
						       pop_now, NULL, pop_after});
	measure_user_close();
}

void latency_stack(void)
{
	measure_turns(&(struct measure_operation){"stack.push.immediate.kernel",
						  "Add data to k_stack (no ctx switch)", push,
						  push_before, push_after},
		      &(struct measure_operation){"stack.pop.immediate.kernel",
						  "Get data from k_stack (no ctx switch)", pop_now,
						  NULL, pop_after});
	measure_users();
	latency_pair(&(struct measure_pair){
		.wait = {"stack.pop.blocking", "Get data from k_stack (w/ ctx switch)", pop, NULL,
			 pop_after},
		.wake = {"stack.push.wake+ctx", "Add data to k_stack (w/ ctx switch)", push,
			 push_before, push_after},
		.wait_q = &words.wait_q,
		.grant = grant,
	});
}
