/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A PC's clock: the time stamp counter is read, and the local APIC's timer, which counts down
 * from what is written, comes. Both must count alike (BOARD_TIMER_HZ). Rejected: the APIC timer's
 * deadline mode, which takes the stamp itself, since QEMU 7.2 does not have it; the HPET, whose
 * registers take a microsecond on real machines.
 */
#ifndef FOLIOT_DRIVERS_TIMER_LAPIC_H
#define FOLIOT_DRIVERS_TIMER_LAPIC_H

#include <stdint.h>
#include <board.h>

#define LAPIC_TIMER_COUNT (*(volatile uint32_t *)(BOARD_LAPIC_BASE + 0x380UL))

/* The low half: its wraps are the kernel's matter. */
static inline uint32_t timer_cycles(void)
{
	uint32_t count;

	__asm__ volatile("rdtsc" : "=a"(count)::"edx", "memory");
	return count;
}

/*
 * Late by the instructions that lie between reading and writing, which a handler's entry takes,
 * too.
 */
static inline void timer_alarm(uint32_t cycle)
{
	int32_t ahead = (int32_t)(cycle - timer_cycles());

	LAPIC_TIMER_COUNT = ahead > 0 ? (uint32_t)ahead : 1U; /* 0 stops it */
}

#endif /* FOLIOT_DRIVERS_TIMER_LAPIC_H */
