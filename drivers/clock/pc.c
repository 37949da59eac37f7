/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast a PC's time stamp counter and its local APIC's timer count. Whatever CPUID tells is
 * measured all the same, for 10 ms, by the HPET or by the PIT's channel 2, and believed if it is
 * within a hundredth of that: a hypervisor may pass on another machine's words. Each wait is
 * bounded, and where nothing tells a rate the clock is a guess, which the header of what the suites
 * print then says. Rejected: the ACPI timer, whose port stands in tables that would have to be
 * looked for, and which counts where the HPET does.
 */
#include <board.h>
#include "drivers/clock.h"
#include "drivers/clock/pc.h"
#include "drivers/clock/pc_cpuid.h"
#include "drivers/clock/pc_reported.h"
#include "drivers/port_io/port_io.h"

#define NS_PER_SECOND  1000000000ULL
#define PARTS_A_SECOND 200U /* what is measured at once: 5 ms */
#define READINGS       8U
#define ATTEMPTS       4U
#define AGREE          1000U /* the part by which two measurements may differ */
#define WAITS          100000U /* readings of a clock that stands still */

#define HPET(n)         (*(volatile uint32_t *)(BOARD_HPET_BASE + (n)))
#define HPET_PERIOD     0x04UL /* femtoseconds a count */
#define HPET_CONTROL    0x10UL
#define HPET_COUNTER    0xF0UL
#define HPET_ENABLE     1U
#define HPET_MOST       100000000U /* the specification's */
#define FEMTOS_A_SECOND 1000000000000000ULL

#define PIT_HZ        1193182U
#define PIT_CHANNEL_2 0x42U
#define PIT_COMMAND   0x43U
#define PIT_LATCH     0x80U
#define PIT_RUN       0xB4U /* channel 2, both bytes, a rate generator: it counts by ones */
#define GATES         0x61U
#define GATE_2        0x01U
#define SPEAKER       0x02U

#define APIC_TIMER_INITIAL (*(volatile uint32_t *)(BOARD_LAPIC_BASE + 0x380UL))
#define APIC_TIMER_COUNT   (*(volatile uint32_t *)(BOARD_LAPIC_BASE + 0x390UL))
#define APIC_TIMER_DIVIDE  (*(volatile uint32_t *)(BOARD_LAPIC_BASE + 0x3E0UL))
#define DIVIDE_BY_ONE      0x0BU

/* A clock that tells how long something took: counts up, 16 bits at least. */
struct reference {
	uint32_t (*read)(void);
	uint32_t hz;
	uint32_t mask;
};

struct reading {
	uint64_t tsc;
	uint32_t apic, reference;
};

struct pc_scales pc_scales;
static uint32_t tsc_hz;
static const char *fallback;

static uint64_t read_tsc(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high)::"memory");
	return (uint64_t)high << 32 | low;
}

/* ---- references ---- */

static uint32_t read_hpet(void)
{
	return HPET(HPET_COUNTER);
}

static uint32_t read_pit(void)
{
	uint32_t low;

	port_write8(PIT_COMMAND, PIT_LATCH);
	low = port_read8(PIT_CHANNEL_2);
	return ~(low | (uint32_t)port_read8(PIT_CHANNEL_2) << 8);
}

/* Returns whether there is one: where none is, all bits are read as ones, or as zeros. */
static bool start_hpet(struct reference *reference)
{
	uint32_t period = HPET(HPET_PERIOD);

	if (period == 0 || period > HPET_MOST) {
		return false;
	}
	HPET(HPET_CONTROL) = HPET_ENABLE;
	*reference = (struct reference){read_hpet, (uint32_t)(FEMTOS_A_SECOND / period),
					UINT32_MAX};
	return true;
}

static void start_pit(struct reference *reference)
{
	port_write8(GATES, (uint8_t)((port_read8(GATES) & ~SPEAKER) | GATE_2));
	port_write8(PIT_COMMAND, PIT_RUN);
	port_write8(PIT_CHANNEL_2, 0); /* 65536 */
	port_write8(PIT_CHANNEL_2, 0);
	*reference = (struct reference){read_pit, PIT_HZ, UINT16_MAX};
}

/* ---- measuring ---- */

/*
 * All three at once, or as near as the best of a few tries comes: an emulator, or the firmware, may
 * take the core away.
 */
static struct reading read_all(const struct reference *reference)
{
	struct reading best = {0, 0, 0};
	uint64_t shortest = UINT64_MAX;

	/* Bound: READINGS. */
	for (unsigned int i = 0; i < READINGS; i++) {
		uint64_t before = read_tsc();
		uint32_t apic = APIC_TIMER_COUNT;
		uint32_t count = reference->read();
		uint64_t took = read_tsc() - before;

		if (took < shortest) {
			shortest = took;
			best = (struct reading){before + took / 2U, apic, count};
		}
	}
	return best;
}

/* Zeros: the reference stands still. */
static struct pc_rates measure_once(const struct reference *reference)
{
	struct reading first, last;
	uint32_t passed = 0;

	APIC_TIMER_DIVIDE = DIVIDE_BY_ONE;
	APIC_TIMER_INITIAL = UINT32_MAX;
	first = read_all(reference);
	/* Bound: the reference's counts, and WAITS readings of each. */
	for (uint32_t waits = 0; passed < reference->hz / PARTS_A_SECOND; waits++) {
		uint32_t now = (reference->read() - first.reference) & reference->mask;

		if (now == passed && waits >= WAITS) {
			APIC_TIMER_INITIAL = 0;
			return (struct pc_rates){0, 0};
		}
		waits = now == passed ? waits : 0;
		passed = now;
	}
	last = read_all(reference);
	APIC_TIMER_INITIAL = 0;
	passed = (last.reference - first.reference) & reference->mask;
	return (struct pc_rates){
		(last.tsc - first.tsc) * reference->hz / passed,
		(uint64_t)(first.apic - last.apic) * reference->hz / passed,
	};
}

static bool agree(uint64_t a, uint64_t b)
{
	return (a > b ? a - b : b - a) <= a / AGREE;
}

/* Twice, until both times it was the same; zeros where it is not to be had. */
static struct pc_rates measure(const struct reference *reference)
{
	struct pc_rates before = measure_once(reference);

	/* Bound: ATTEMPTS. */
	for (unsigned int i = 0; i < ATTEMPTS && pc_rates_are_likely(&before); i++) {
		struct pc_rates now = measure_once(reference);

		if (pc_rates_are_likely(&now) && agree(before.tsc, now.tsc) &&
		    agree(before.apic, now.apic)) {
			return (struct pc_rates){(before.tsc + now.tsc) / 2U,
						 (before.apic + now.apic) / 2U};
		}
		before = now;
	}
	return (struct pc_rates){0, 0};
}

static struct pc_rates measure_by_any(void)
{
	struct reference reference;
	struct pc_rates measured = {0, 0};

	if (start_hpet(&reference)) {
		measured = measure(&reference);
	}
	if (measured.tsc == 0) {
		start_pit(&reference);
		measured = measure(&reference);
	}
	return measured;
}

/* ---- what came of it ---- */

static struct pc_rates find(void)
{
	struct pc_rates told = pc_rates_reported(pc_ask);
	struct pc_rates measured = measure_by_any();
	struct pc_rates found = {pc_rate_of(told.tsc, measured.tsc),
				 pc_rate_of(told.apic, measured.apic)};

	if (measured.tsc == 0 && told.tsc != 0) {
		fallback = "neither HPET nor PIT counts: the rates are what CPUID tells";
	} else if (told.tsc != 0 && (found.tsc != told.tsc || found.apic != told.apic)) {
		fallback = "CPUID tells other rates than were measured: measured ones are taken";
	}
	return found;
}

static struct pc_rates guess(void)
{
	uint64_t base = pc_base_reported(pc_ask);

	if (base >= PC_TSC_LEAST && base <= PC_TSC_MOST) {
		fallback = "no rate is told or can be measured: the time stamp counter's is taken "
			   "for the core's base frequency, the APIC timer's is guessed";
		return (struct pc_rates){base, NS_PER_SECOND};
	}
	fallback = "no rate is told or can be measured: 1 GHz each is a guess";
	return (struct pc_rates){NS_PER_SECOND, NS_PER_SECOND};
}

void clock_start(void)
{
	struct pc_rates found = find();

	if (!pc_rates_are_likely(&found)) {
		found = guess();
	}
	tsc_hz = (uint32_t)found.tsc;
	pc_scales.ns_of_tsc = (NS_PER_SECOND << 32) / found.tsc;
	pc_scales.apic_of_ns = (found.apic << 32) / NS_PER_SECOND;
}

const char *clock_fallback(void)
{
	return fallback;
}

uint32_t clock_uart_hz(void)
{
	return 1843200; /* the crystal of COM1, whatever the core's is */
}

uint32_t pc_clock_hz(void)
{
	return tsc_hz;
}
