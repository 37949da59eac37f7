/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events. Windows: one call, or, in the pairs, one call until the other thread's own
 * call has returned. The flags are Zephyr's, and so is the kind of wait: those that
 * return at once leave the flags set, those that block reset them in the call. Before
 * each immediate post and set they are cleared, which Zephyr's loop does not do, since
 * what is set already can't be seen to have been set.
 */
#include "latency.h"

#define EVENTS 0x1234U

static K_EVENT_DEFINE(event);

MEASURE_WINDOW(post, result = (intptr_t)k_event_post(&event, EVENTS))
MEASURE_WINDOW(set, result = (intptr_t)k_event_set(&event, EVENTS))
MEASURE_WINDOW(wait_any, result = (intptr_t)k_event_wait(&event, EVENTS, false, K_FOREVER))
MEASURE_WINDOW(wait_all, result = (intptr_t)k_event_wait_all(&event, EVENTS, false, K_FOREVER))
MEASURE_WINDOW(reset_wait_any, result = (intptr_t)k_event_wait(&event, EVENTS, true, K_FOREVER))
MEASURE_WINDOW(reset_wait_all, result = (intptr_t)k_event_wait_all(&event, EVENTS, true, K_FOREVER))

static void clear(void)
{
	(void)k_event_clear(&event, UINT32_MAX);
}

/* Nothing was set before, all is now. */
static void set_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "set", result == 0 && k_event_test(&event, EVENTS) == EVENTS);
}

static void wait_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "received", result == EVENTS);
}

/* What the call before had set, the waiter has reset by waiting again. */
static void set_for_waiter_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "was_reset", result == 0);
}

/* The four that return at once, by measure_single() or its counterpart for user threads. */
static void measure_immediate(void (*single)(const struct measure_operation *operation),
			      const char *const ids[4])
{
	single(&(struct measure_operation){ids[0], "Post events (nothing wakes)", post, clear,
					   set_after});
	single(&(struct measure_operation){ids[1], "Set events (nothing wakes)", set, clear,
					   set_after});
	single(&(struct measure_operation){ids[2], "Wait for any events (no ctx switch)", wait_any,
					   NULL, wait_after});
	single(&(struct measure_operation){ids[3], "Wait for all events (no ctx switch)", wait_all,
					   NULL, wait_after});
	clear();
}

#define IMMEDIATE_IDS(mode)                                                                 \
	((const char *const[]){"events.post.immediate." mode, "events.set.immediate." mode, \
			       "events.wait.immediate." mode, "events.wait_all.immediate." mode})

static void grant(k_tid_t thread)
{
	k_thread_access_grant(thread, &event);
}

void latency_event(void)
{
	measure_immediate(measure_single, IMMEDIATE_IDS("kernel"));
	measure_user_open(grant);
	measure_immediate(measure_user_single, IMMEDIATE_IDS("user"));
	measure_user_close();
	latency_pair(&(struct measure_pair){
		.wait = {"events.wait.blocking", "Wait for any events (w/ ctx switch)",
			 reset_wait_any, NULL, wait_after},
		.wake = {"events.set.wake+ctx", "Set events (w/ ctx switch)", set, NULL,
			 set_for_waiter_after},
		.wait_q = &event.wait_q,
		.grant = grant,
	});
	latency_pair(&(struct measure_pair){
		.wait = {"events.wait_all.blocking", "Wait for all events (w/ ctx switch)",
			 reset_wait_all, NULL, wait_after},
		.wake = {"events.post.wake+ctx", "Post events (w/ ctx switch)", post, NULL,
			 set_for_waiter_after},
		.wait_q = &event.wait_q,
		.grant = grant,
	});
	clear();
}
