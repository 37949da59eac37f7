/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals out of the ring, where a board has no pins to watch: "signals" records of at
 * most EVENTS_A_RECORD events each, times in units since the case began.
 */
#include <measure_record.h>
#include "cases.h"

#define EVENTS_A_RECORD 64U

/* Where signals are on pins, nothing is read. */
#ifdef BOARD_SIGNALS
#define EVENTS 1U
#else
#define EVENTS CONFIG_TRACE_RING_SIZE
#endif

static struct k_trace_event events[EVENTS];

void signals_forget(void)
{
	(void)k_trace_read(events, ARRAY_SIZE(events));
}

/* Bit n of a record's masks is the signal names[n]: without the gap in the register. */
static void print_names(void)
{
	record_key("names");
	record_print("[\"thread_any\",\"scheduler\",\"queueing\",\"isr\",\"syscall\"");
	/* Bound: K_SIGNAL_THREADS. */
	for (unsigned int n = 0; n < K_SIGNAL_THREADS; n++) {
		record_print(",\"thread_%u\"", n);
	}
	record_print("]");
}

static void print_event(const struct k_trace_event *event, uint32_t since, bool first)
{
	uint64_t ticks = event->cycle - since;

	record_print("%s[%u,%u]", first ? "[" : ",",
		     (unsigned int)(ticks * BOARD_CYCLES_DEN / BOARD_CYCLES_NUM),
		     (unsigned int)((event->levels & 0x1FU) | event->levels >> 16U << 5U));
}

void signals_print(uint32_t since)
{
	size_t count = k_trace_read(events, ARRAY_SIZE(events));

	/* Bound: the ring's size. */
	for (size_t done = 0; done < count; done += EVENTS_A_RECORD) {
		size_t end = MIN(done + EVENTS_A_RECORD, count);

		record_begin("signals");
		print_names();
		record_integer("lost", k_trace_lost());
		record_key("events");
		for (size_t i = done; i < end; i++) {
			print_event(&events[i], since, i == done);
		}
		record_print("]");
		record_end();
	}
}
