/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a PC's core says of itself by CPUID: its clocks' rates, and which counters it has. By a
 * pointer to who asks, so that tests can answer.
 */
#ifndef FOLIOT_DRIVERS_CLOCK_PC_REPORTED_H
#define FOLIOT_DRIVERS_CLOCK_PC_REPORTED_H

#include <stdbool.h>
#include <stdint.h>

struct pc_words {
	uint32_t a, b, c, d;
};

typedef struct pc_words pc_cpuid(uint32_t leaf);

/* Hz; 0: not known. */
struct pc_rates {
	uint64_t tsc;
	uint64_t apic;
};

#define PC_LEAF_FEATURES   0x01U
#define PC_LEAF_COUNTERS   0x0AU
#define PC_LEAF_CRYSTAL    0x15U
#define PC_LEAF_FREQUENCY  0x16U
#define PC_LEAF_HYPERVISOR 0x40000000U
#define PC_LEAF_BOTH_RATES 0x40000010U
#define PC_IS_A_GUEST      (1U << 31) /* of leaf 1's c */

/* Counters that any rate beyond is an error of: of a PC's core, and of a local APIC. */
#define PC_TSC_LEAST  100000000U
#define PC_TSC_MOST   UINT32_MAX
#define PC_APIC_LEAST 1000000U
#define PC_APIC_MOST  UINT32_MAX

static inline bool pc_rates_are_likely(const struct pc_rates *rates)
{
	return rates->tsc >= PC_TSC_LEAST && rates->tsc <= PC_TSC_MOST &&
	       rates->apic >= PC_APIC_LEAST && rates->apic <= PC_APIC_MOST;
}

/*
 * A hypervisor's leaf says both in kHz; Intel's of the crystal says both exactly where it says the
 * crystal's rate.
 */
static inline struct pc_rates pc_rates_reported(pc_cpuid *cpuid)
{
	struct pc_rates told = {0, 0};
	uint32_t most = cpuid(0).a;

	if ((cpuid(PC_LEAF_FEATURES).c & PC_IS_A_GUEST) != 0 &&
	    cpuid(PC_LEAF_HYPERVISOR).a >= PC_LEAF_BOTH_RATES &&
	    cpuid(PC_LEAF_HYPERVISOR).a < PC_LEAF_BOTH_RATES + 0x10000U) {
		struct pc_words words = cpuid(PC_LEAF_BOTH_RATES);

		told = (struct pc_rates){words.a * 1000ULL, words.b * 1000ULL};
	}
	if (!pc_rates_are_likely(&told) && most >= PC_LEAF_CRYSTAL) {
		struct pc_words words = cpuid(PC_LEAF_CRYSTAL);

		told = (struct pc_rates){0, 0};
		if (words.a != 0 && words.b != 0) {
			told = (struct pc_rates){(uint64_t)words.c * words.b / words.a, words.c};
		}
	}
	return pc_rates_are_likely(&told) ? told : (struct pc_rates){0, 0};
}

/*
 * The core's base frequency, Hz, in whole MHz: what the time stamp counter's is near to. 0: not
 * told.
 */
static inline uint64_t pc_base_reported(pc_cpuid *cpuid)
{
	return cpuid(0).a >= PC_LEAF_FREQUENCY
		       ? (uint64_t)(cpuid(PC_LEAF_FREQUENCY).a & 0xFFFFU) * 1000000U
		       : 0;
}

/*
 * Is there fixed-function counter n, 0 instructions, 1 unhalted clocks, and one control of all of
 * them (version 2)?
 */
static inline bool pc_has_counter(pc_cpuid *cpuid, unsigned int n)
{
	struct pc_words words = {0, 0, 0, 0};

	if (cpuid(0).a >= PC_LEAF_COUNTERS) {
		words = cpuid(PC_LEAF_COUNTERS);
	}
	return (words.a & 0xFFU) >= 2U && (words.d & 0x1FU) > n && (words.d >> 5 & 0xFFU) >= 32U;
}

/*
 * What is told, unless it is off what was measured by more than a hundredth; either may be 0, for
 * nothing.
 */
static inline uint64_t pc_rate_of(uint64_t told, uint64_t measured)
{
	uint64_t off = told > measured ? told - measured : measured - told;

	return told != 0 && (measured == 0 || off <= told / 100U) ? told : measured;
}

#endif /* FOLIOT_DRIVERS_CLOCK_PC_REPORTED_H */
