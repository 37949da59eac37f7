/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of this run, read by whoever runs. */
#include "fuzz.h"

static const uint8_t *next, *last;

void input_set(const uint8_t *data, size_t size)
{
	next = data;
	last = data + size;
}

bool input_left(void)
{
	return next != last;
}

uint8_t input_byte(void)
{
	return next == last ? 0 : *next++;
}

uint32_t input_word(void)
{
	uint32_t word = 0;

	for (int shift = 0; shift < 32; shift += 8) {
		word |= (uint32_t)input_byte() << shift;
	}
	return word;
}
