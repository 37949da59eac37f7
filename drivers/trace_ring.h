/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events in a ring of RAM (CONFIG_TRACE_RING): what the kernel did and when, for `foliot trace
 * --ring`. A full ring keeps the oldest events and counts the others; one that is sent while the
 * program runs (CONFIG_TRACE_STREAM) has two halves, of which one is filled.
 * lab/foliot/trace/ring.py and stream.py read what comes of it.
 */
#ifndef FOLIOT_DRIVERS_TRACE_RING_H
#define FOLIOT_DRIVERS_TRACE_RING_H

#include <foliot/util.h>
#include <arch_inline.h>

/* The lowest byte of `what`; above it what each says. */
#define TRACE_RING_SWITCH    1U /* a: from, b: to; the former's state, and if it is in a queue */
#define TRACE_RING_READY     2U /* a: thread */
#define TRACE_RING_ISR_ENTER 3U /* a: the core's number of it */
#define TRACE_RING_ISR_EXIT  4U
#define TRACE_RING_CALL      5U /* a: object, b: function */
#define TRACE_RING_RETURN    6U /* a: result, b: function */
#define TRACE_RING_CREATED   7U /* a: thread; its priority */

struct trace_ring_event {
	uint32_t time; /* counts of the board's finest counter */
	uint32_t what;
	uintptr_t a;
	uintptr_t b;
};

struct trace_ring {
	struct trace_ring_event *next;
	struct trace_ring_event *end; /* of what is filled */
	uint32_t lost;
	struct trace_ring_event event[CONFIG_TRACE_RING_EVENTS];
};

extern struct trace_ring trace_ring;

/* Events that are filled one after the other. */
#define TRACE_RING_PART (CONFIG_TRACE_RING_EVENTS / (IS_ENABLED(CONFIG_TRACE_STREAM) ? 2U : 1U))

/* Keep an event. Interrupts masked. */
static inline void trace_ring_put(uint32_t what, uintptr_t a, uintptr_t b)
{
	struct trace_ring_event *event = trace_ring.next;

	if (unlikely(event == trace_ring.end)) {
		trace_ring.lost++;
		return;
	}
	trace_ring.next = event + 1;
	event->what = what;
	event->a = a;
	event->b = b;
	event->time = arch_cycles();
}

/* The same of a call, with interrupts as they are: trace_calls.c. */
void trace_ring_call(uint32_t what, uintptr_t a, uintptr_t function);

/* What an event costs, a call's or another, in counts. Interrupts masked. */
uint32_t trace_ring_cost(bool of_call);

#endif /* FOLIOT_DRIVERS_TRACE_RING_H */
