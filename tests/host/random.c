/* SPDX-License-Identifier: Apache-2.0 */
/* Random choices, the same for the same seed everywhere (splitmix64). */
#include "model.h"

static uint64_t state;

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

uint32_t random_below(uint32_t n)
{
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
