/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers that look random. Each is the cycle counter, scrambled: the way back is known, so
 * neighbours differ in every bit and no two counts give the same. A user thread has no memory to
 * count its calls in, so nobody counts; a call waits for the counter to move, which is a cycle on
 * most boards.
 */
#include <zephyr/random/random.h>
#include <string.h>

/* One to one; each bit of what comes out depends on all that go in. */
static uint32_t scrambled(uint32_t value)
{
	value ^= value >> 16;
	value *= 0x21f0aaadU;
	value ^= value >> 15;
	value *= 0x735a2d97U;
	value ^= value >> 15;
	return value;
}

uint32_t sys_rand32_get(void)
{
	uint32_t before = k_cycle_get_32();
	uint32_t now = k_cycle_get_32();

	/* Bound: a step of the counter. */
	while (now == before) {
		now = k_cycle_get_32();
	}
	return scrambled(now);
}

void sys_rand_get(void *dst, size_t length)
{
	uint8_t *bytes = dst;

	/* Bound: the caller's length. */
	while (length > 0U) {
		uint32_t value = sys_rand32_get();
		size_t part = MIN(length, sizeof(value));

		memcpy(bytes, &value, part);
		bytes += part;
		length -= part;
	}
}
