/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock of lapic.h on a machine whose rates are found at start: in nanoseconds, so that the
 * kernel need not know them. Its driver is the same (lapic.c). A count of the time stamp counter is
 * rounded by less than a billionth. Rejected: the kernel's ticks by rates that are variables, which
 * every board would pay for.
 */
#ifndef FOLIOT_DRIVERS_TIMER_LAPIC_SCALED_H
#define FOLIOT_DRIVERS_TIMER_LAPIC_SCALED_H

#include <stdint.h>
#include <board.h>
#include "drivers/clock/pc.h"

#define LAPIC_TIMER_COUNT (*(volatile uint32_t *)(BOARD_LAPIC_BASE + 0x380UL))

/* The low half of nanoseconds, for which the low half of the product suffices. */
static inline uint32_t timer_cycles(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high)::"memory");
	return (uint32_t)(((uint64_t)high << 32 | low) * pc_scales.ns_of_tsc >> 32);
}

/* Early rather than late: an alarm that finds nothing due is set anew. */
static inline void timer_alarm(uint32_t cycle)
{
	int32_t ahead = (int32_t)(cycle - timer_cycles());
	unsigned __int128 counts = ahead > 0 ? (unsigned __int128)(uint32_t)ahead *
							       pc_scales.apic_of_ns >>
						       32
					     : 0;

	if (counts > UINT32_MAX) {
		counts = UINT32_MAX;
	}
	LAPIC_TIMER_COUNT = counts != 0 ? (uint32_t)counts : 1U; /* 0 stops it */
}

#endif /* FOLIOT_DRIVERS_TIMER_LAPIC_SCALED_H */
