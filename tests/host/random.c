/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random choices, the same for the same seed everywhere (splitmix64); or a fuzzer's, who reads what
 * became of them and makes others (fuzz.c). Behind its input's end they are a seed's again.
 */
#include "model.h"

static uint64_t state;
static const uint8_t *given, *given_end;

void random_seed(uint64_t seed)
{
	state = seed * 0x2545f4914f6cdd1dULL + 1;
}

static uint64_t next(void)
{
	uint64_t z = (state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

void random_given(const uint8_t *input, size_t size)
{
	given = input;
	given_end = input + size;
}

bool random_is_given(void)
{
	return given != given_end;
}

/* As few bytes as tell so many apart. */
static uint32_t next_given(uint32_t n)
{
	uint32_t value = 0;

	for (uint32_t told = 1; told < n && given != given_end; told = told << 8 | 255U) {
		value = value << 8 | *given++;
	}
	return value % n;
}

uint32_t random_below(uint32_t n)
{
	if (random_is_given()) {
		return next_given(n);
	}
	return (uint32_t)((next() >> 32) * n >> 32);
}

/* Few priorities, so that equals meet; one in five is cooperative, half where some of those are meta-IRQs'. */
int random_prio(void)
{
	return one_in(IS_ENABLED(CONFIG_METAIRQ) ? 2 : 5) ? -1 - (int)random_below(2)
							  : (int)random_below(4);
}

k_timeout_t random_timeout(void)
{
	switch (random_below(8)) {
	case 0:
	case 1:
		return K_NO_WAIT;
	case 2:
		return K_FOREVER;
#ifdef CONFIG_TIMEOUT_64BIT
	case 3:
		return K_TICKS(INT64_C(1) << random_below(34)); /* idle, all of it passes */
	case 4: /* of what has been, too */
		return K_TIMEOUT_ABS_TICKS(k_uptime_ticks() - 3 + (int64_t)random_below(20));
#else
	case 3:
		return K_TICKS(1U << random_below(31));
#endif
	default:
		return K_TICKS(1 + random_below(20));
	}
}
