/* SPDX-License-Identifier: Apache-2.0 */
/* What the core that runs says of itself, for pc_reported.h. */
#ifndef FOLIOT_DRIVERS_CLOCK_PC_CPUID_H
#define FOLIOT_DRIVERS_CLOCK_PC_CPUID_H

#include "drivers/clock/pc_reported.h"

static inline struct pc_words pc_ask(uint32_t leaf)
{
	struct pc_words words;

	__asm__ volatile("cpuid"
			 : "=a"(words.a), "=b"(words.b), "=c"(words.c), "=d"(words.d)
			 : "0"(leaf), "2"(0));
	return words;
}

#endif /* FOLIOT_DRIVERS_CLOCK_PC_CPUID_H */
