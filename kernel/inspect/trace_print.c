/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the ring of events, where it is not sent while the program runs (trace_stream.c). */
#include <foliot/console.h>
#include <foliot/trace.h>
#include "kernel/hooks/trace.h"

void k_trace_ring_print(void)
{
	unsigned int key = arch_irq_lock();
	unsigned int used = (unsigned int)(trace_ring.next - trace_ring.event);

	printk("@trace begin 1 events %u lost %u cost %u call %u clock %u\n", used,
	       (unsigned int)trace_ring.lost, (unsigned int)trace_ring_cost(false),
	       (unsigned int)trace_ring_cost(true), (unsigned int)BOARD_CLOCK_HZ);
	/* Bound: CONFIG_TRACE_RING_EVENTS. */
	for (unsigned int i = 0; i < used; i++) {
		const struct trace_ring_event *event = &trace_ring.event[i];

		printk("@trace %x %x %lx %lx\n", (unsigned int)event->time,
		       (unsigned int)event->what, (unsigned long)event->a, (unsigned long)event->b);
	}
	printk("@trace end\n");
	arch_irq_unlock(key);
}
