/* SPDX-License-Identifier: Apache-2.0 */
/* A system call of the application's that computes, and every other time gives the CPU away meanwhile. */
#include <foliot/kernel_mode.h>
#include <foliot/kernel.h>
#include "unit.h"

static void nothing(void)
{
}

static void sleep_a_tick(void)
{
	k_sleep(K_TICKS(1));
}

int computes(void);
int computes(void)
{
	static unsigned int calls;
	struct registers found;
	uintptr_t words[UNIT_WORDS];

	for (unsigned int i = 0; i < UNIT_WORDS; i++) {
		words[i] = 0x44440000U + i;
	}
	unit_fill_and_look(words, calls++ % 2 == 0 ? sleep_a_tick : nothing, &found);
	return 0;
}

int verify_computes(void);
int verify_computes(void)
{
	return computes();
}
