/* SPDX-License-Identifier: Apache-2.0 */
/* The ring of events, and what it costs. */
#include <foliot/trace.h>
#include "kernel/hooks/trace.h"

struct trace_ring trace_ring = {
	.next = trace_ring.event,
	.end = &trace_ring.event[TRACE_RING_PART],
};

/* The ports' assembly calls these two where a handler begins and where it goes back to a thread. */
void trace_isr_enter(uintptr_t number)
{
	trace_ring_put(TRACE_RING_ISR_ENTER, number, 0);
}

void trace_thread_in(void)
{
	trace_ring_put(TRACE_RING_ISR_EXIT, 0, 0);
}

void trace_ring_call(uint32_t what, uintptr_t a, uintptr_t function)
{
	unsigned int key = arch_irq_lock();

	trace_ring_put(what, a, function);
	arch_irq_unlock(key);
}

/* By two that follow each other, kept where the first ones were. */
uint32_t trace_ring_cost(bool of_call)
{
	struct trace_ring_event *next = trace_ring.next;
	struct trace_ring_event *end = trace_ring.end;
	struct trace_ring_event first = trace_ring.event[0];
	struct trace_ring_event second = trace_ring.event[1];
	uint32_t counts;

	trace_ring.next = trace_ring.event;
	trace_ring.end = &trace_ring.event[2];
	/* Bound: 2. */
	for (unsigned int i = 0; i < 2U; i++) {
		if (of_call) {
			trace_ring_call(TRACE_RING_CALL, 0, 0);
		} else {
			trace_isr_enter(0);
		}
	}
	counts = trace_ring.event[1].time - trace_ring.event[0].time;
	trace_ring.event[0] = first;
	trace_ring.event[1] = second;
	trace_ring.next = next;
	trace_ring.end = end;
	return counts;
}
