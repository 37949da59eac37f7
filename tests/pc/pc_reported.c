/* SPDX-License-Identifier: Apache-2.0 */
/* What is made of a core's CPUID (drivers/clock/pc_reported.h), by cores that were made up: a program of this computer. */
#include <stdio.h>
#include "drivers/clock/pc_reported.h"

#define CHECK(condition)                                          \
	do {                                                      \
		if (!(condition)) {                               \
			printf("%d: " #condition "\n", __LINE__); \
			failed = 1;                               \
		}                                                 \
	} while (0)

static int failed;

/* A core: its leaves, and 0 of all others. */
static struct {
	uint32_t leaf;
	struct pc_words words;
} core[8];

static struct pc_words ask(uint32_t leaf)
{
	for (unsigned int i = 0; i < sizeof(core) / sizeof(core[0]); i++) {
		if (core[i].leaf == leaf && (leaf != 0 || i == 0)) {
			return core[i].words;
		}
	}
	return (struct pc_words){0, 0, 0, 0};
}

static void begin(uint32_t most)
{
	for (unsigned int i = 0; i < sizeof(core) / sizeof(core[0]); i++) {
		core[i].leaf = 0;
		core[i].words = (struct pc_words){0, 0, 0, 0};
	}
	core[0].words.a = most;
}

static void says(unsigned int at, uint32_t leaf, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
	core[at].leaf = leaf;
	core[at].words = (struct pc_words){a, b, c, d};
}

static void test_rates(void)
{
	struct pc_rates told;

	begin(0x0D); /* too old to tell */
	told = pc_rates_reported(ask);
	CHECK(told.tsc == 0 && told.apic == 0 && pc_base_reported(ask) == 0);

	begin(0x16); /* its crystal, and what the counter makes of that: 24 MHz * 216 / 2 */
	says(1, 0x15, 2, 216, 24000000, 0);
	says(2, 0x16, 2600, 5000, 100, 0);
	told = pc_rates_reported(ask);
	CHECK(told.tsc == 2592000000U && told.apic == 24000000U);
	CHECK(pc_base_reported(ask) == 2600000000U);

	says(1, 0x15, 2, 216, 0, 0); /* the crystal's rate is not told */
	told = pc_rates_reported(ask);
	CHECK(told.tsc == 0 && told.apic == 0);
	says(1, 0x15, 0, 216, 24000000, 0);
	told = pc_rates_reported(ask);
	CHECK(told.tsc == 0);
	says(1, 0x15, 1, 216, 24000000, 0); /* 5.2 GHz: more than the clock can say */
	told = pc_rates_reported(ask);
	CHECK(told.tsc == 0 && told.apic == 0);

	begin(0x0D); /* a guest, whose hypervisor tells kHz */
	says(1, 1, 0, 0, 1U << 31, 0);
	says(2, 0x40000000, 0x40000010, 0, 0, 0);
	says(3, 0x40000010, 2600000, 1000000, 0, 0);
	told = pc_rates_reported(ask);
	CHECK(told.tsc == 2600000000U && told.apic == 1000000000U);
	says(2, 0x40000000, 0x40000001, 0, 0, 0); /* it has no such leaf */
	told = pc_rates_reported(ask);
	CHECK(told.tsc == 0);
	says(2, 0x40000000, 0x40000010, 0, 0, 0);
	says(1, 1, 0, 0, 0, 0); /* no guest: what is in those leaves is anything */
	told = pc_rates_reported(ask);
	CHECK(told.tsc == 0);

	begin(0x15); /* a hypervisor that tells nonsense, on a core that tells */
	says(1, 1, 0, 0, 1U << 31, 0);
	says(2, 0x40000000, 0x40000010, 0, 0, 0);
	says(3, 0x40000010, 26, 1000000, 0, 0);
	says(4, 0x15, 1, 100, 20000000, 0);
	told = pc_rates_reported(ask);
	CHECK(told.tsc == 2000000000U && told.apic == 20000000U);
}

static void test_rate_of(void)
{
	CHECK(pc_rate_of(2600000000U, 2601000000U) ==
	      2600000000U); /* near enough: exactly as told */
	CHECK(pc_rate_of(2600000000U, 2626000000U) == 2600000000U);
	CHECK(pc_rate_of(2600000000U, 2626000001U) == 2626000001U);
	CHECK(pc_rate_of(2600000000U, 1000000000U) == 1000000000U);
	CHECK(pc_rate_of(2600000000U, 0) == 2600000000U);
	CHECK(pc_rate_of(0, 1000000000U) == 1000000000U);
	CHECK(pc_rate_of(0, 0) == 0);
}

static void test_counters(void)
{
	begin(0x09); /* no such leaf: whatever would be answered */
	says(1, 0x0A, 0x07300404, 0, 0, 0x603);
	CHECK(!pc_has_counter(ask, 0) && !pc_has_counter(ask, 1));

	begin(0x0A); /* three of 48 bits, version 4 */
	says(1, 0x0A, 0x07300404, 0, 0, 0x603);
	CHECK(pc_has_counter(ask, 0) && pc_has_counter(ask, 1) && pc_has_counter(ask, 2));
	CHECK(!pc_has_counter(ask, 3));

	says(1, 0x0A, 0x07300401, 0, 0, 0x603); /* version 1: none is controlled as ours are */
	CHECK(!pc_has_counter(ask, 0));
	says(1, 0x0A, 0x07300402, 0, 0, 0x601); /* instructions alone */
	CHECK(pc_has_counter(ask, 0) && !pc_has_counter(ask, 1));
	says(1, 0x0A, 0x07300402, 0, 0, 0x203); /* of 16 bits */
	CHECK(!pc_has_counter(ask, 0));
	says(1, 0x0A, 0, 0, 0, 0); /* QEMU 7.2's emulation */
	CHECK(!pc_has_counter(ask, 0) && !pc_has_counter(ask, 1));
}

int main(void)
{
	test_rates();
	test_rate_of();
	test_counters();
	return failed;
}
