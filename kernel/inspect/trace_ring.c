/* SPDX-License-Identifier: Apache-2.0 */
/* The ring of events, what it costs, and what prints it. */
#include <foliot/trace.h>
#include "kernel/inspect/trace.h"

struct trace_ring trace_ring = {.next = trace_ring.event};

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

/* What an event costs: two that follow each other, kept where the first ones were. */
static uint32_t cost(bool of_call)
{
	struct trace_ring_event *next = trace_ring.next;
	struct trace_ring_event first = trace_ring.event[0];
	struct trace_ring_event second = trace_ring.event[1];
	uint32_t counts;

	trace_ring.next = trace_ring.event;
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
	return counts;
}

void k_trace_ring_print(void)
{
	unsigned int key = arch_irq_lock();
	unsigned int used = (unsigned int)(trace_ring.next - trace_ring.event);

	printk("@trace begin 1 events %u lost %u cost %u call %u clock %u\n", used,
	       (unsigned int)trace_ring.lost, (unsigned int)cost(false), (unsigned int)cost(true),
	       (unsigned int)BOARD_CLOCK_HZ);
	/* Bound: CONFIG_TRACE_RING_EVENTS. */
	for (unsigned int i = 0; i < used; i++) {
		const struct trace_ring_event *event = &trace_ring.event[i];

		printk("@trace %x %x %lx %lx\n", (unsigned int)event->time,
		       (unsigned int)event->what, (unsigned long)event->a, (unsigned long)event->b);
	}
	printk("@trace end\n");
	arch_irq_unlock(key);
}
