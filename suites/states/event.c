/* SPDX-License-Identifier: Apache-2.0 */
/* Events. Those that wait reset the flags in their call. */
#include "states.h"

#define EVENTS 0x1234U

static K_EVENT_DEFINE(event);

MEASURE_WINDOW(post, result = (intptr_t)k_event_post(&event, EVENTS))
MEASURE_WINDOW(set, result = (intptr_t)k_event_set(&event, EVENTS))
MEASURE_WINDOW(clear, result = (intptr_t)k_event_clear(&event, EVENTS))
MEASURE_WINDOW(wait_now, result = (intptr_t)k_event_wait(&event, EVENTS, false, K_NO_WAIT))
MEASURE_WINDOW(wait_all_now, result = (intptr_t)k_event_wait_all(&event, EVENTS, false, K_NO_WAIT))
MEASURE_WINDOW(wait_any, result = (intptr_t)k_event_wait(&event, EVENTS, true, K_FOREVER))
MEASURE_WINDOW(wait_any_timed,
	       result = (intptr_t)k_event_wait(&event, EVENTS, true, K_SECONDS(100)))
MEASURE_WINDOW(wait_all, result = (intptr_t)k_event_wait_all(&event, EVENTS, true, K_FOREVER))
MEASURE_WINDOW(wait_all_timed,
	       result = (intptr_t)k_event_wait_all(&event, EVENTS, true, K_SECONDS(100)))

static void clear_all(void)
{
	(void)k_event_clear(&event, UINT32_MAX);
}

static void set_all(void)
{
	(void)k_event_set(&event, EVENTS);
}

static void was_set(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "set", result == 0 && k_event_test(&event, EVENTS) == EVENTS);
}

static void was_cleared(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "cleared", result == EVENTS && k_event_test(&event, EVENTS) == 0);
}

static void received(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "received", result == EVENTS);
}

static void refused(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "refused", result == 0);
}

/* Others may wait, so whether all was reset before is not asked. */
static void set_for_waiter(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "was_reset", (result & ~(intptr_t)EVENTS) == 0);
}

static void wait_once(void)
{
	(void)k_event_wait(&event, EVENTS, true, K_FOREVER);
}

/* The company of a pair waits for other flags: all that match are woken together. */
static void wait_for_others(void)
{
	(void)k_event_wait(&event, ~EVENTS, false, K_FOREVER);
}

static void measure_alone(void)
{
	states_single(&(struct measure_operation){"events.post.immediate.kernel",
						  "Post events (nothing wakes)", post, clear_all,
						  was_set},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"events.set.immediate.kernel",
						  "Set events (nothing wakes)", set, clear_all,
						  was_set},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"events.clear.immediate.kernel", "Clear events",
						  clear, set_all, was_cleared},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"events.wait.immediate.kernel",
						  "Wait for any events (no ctx switch)", wait_now,
						  set_all, received},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"events.wait_all.immediate.kernel",
						  "Wait for all events (no ctx switch)",
						  wait_all_now, set_all, received},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"events.wait.refused.kernel",
						  "Wait for any events, none set, not waiting",
						  wait_now, clear_all, refused},
		      CALLERS_ALL);
	clear_all();
}

void states_event(void)
{
	measure_alone();
	states_pairs(&(struct states_pair){
		.pair = {.wait = {"events.wait.blocking.k_to_k",
				  "Wait for any events (w/ ctx switch)", wait_any, NULL, received},
			 .wake = {"events.set.wake+ctx.k_to_k", "Set events (w/ ctx switch)", set,
				  NULL, set_for_waiter},
			 .wait_q = &event.wait_q},
		.wait_timed = wait_any_timed,
		.wait_once = wait_once,
		.no_switch_id = "events.set.wake.kernel",
		.company_waits = wait_for_others,
	});
	states_pairs(&(struct states_pair){
		.pair = {.wait = {"events.wait_all.blocking.k_to_k",
				  "Wait for all events (w/ ctx switch)", wait_all, NULL, received},
			 .wake = {"events.post.wake+ctx.k_to_k", "Post events (w/ ctx switch)",
				  post, NULL, set_for_waiter},
			 .wait_q = &event.wait_q},
		.wait_timed = wait_all_timed,
		.wait_once = wait_once,
		.no_switch_id = "events.post.wake.kernel",
		.company_waits = wait_for_others,
	});
}
