/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals without pins: every change goes into a ring with its time, to be read and
 * printed when the measurement is over. The probe effect is that of a call and five
 * stores, which the suites measure and state. A full ring keeps the oldest events: the
 * beginning of a recording is worth more than its end.
 */
#include <foliot/kernel.h>
#include <arch_inline.h>
#include "drivers/trace_levels.h"

static struct {
	uint32_t levels;
	uint32_t used;
	uint32_t lost;
	struct k_trace_event event[CONFIG_TRACE_RING_SIZE];
} ring;

static void keep(uint32_t levels)
{
	if (levels == ring.levels) {
		return;
	}
	ring.levels = levels;
	if (ring.used == CONFIG_TRACE_RING_SIZE) {
		ring.lost++;
		return;
	}
	ring.event[ring.used++] = (struct k_trace_event){arch_cycles(), levels};
}

void trace_levels_set_all(uint32_t levels)
{
	keep(levels);
}

void trace_levels_raise(uint32_t levels)
{
	keep(ring.levels | levels);
}

void trace_levels_lower(uint32_t levels)
{
	keep(ring.levels & ~levels);
}

size_t k_trace_read(struct k_trace_event *events, size_t max)
{
	unsigned int key = irq_lock();
	size_t count = MIN(max, ring.used);

	/* Bound: the ring's size, once to copy and once to close up. */
	for (size_t i = 0; i < count; i++) {
		events[i] = ring.event[i];
	}
	for (size_t i = count; i < ring.used; i++) {
		ring.event[i - count] = ring.event[i];
	}
	ring.used -= count;
	irq_unlock(key);
	return count;
}

uint32_t k_trace_lost(void)
{
	return ring.lost;
}
