/* SPDX-License-Identifier: Apache-2.0 */
/* The core's generator of random numbers, where it has one. */
#include "drivers/entropy.h"

#define CPUID_FEATURES   1U
#define CPUID_ECX_RDRAND (1U << 30)
#define TRIES            10U /* so many the manual asks for: it may run dry */

bool entropy_get(uint32_t *word)
{
	uint32_t a = CPUID_FEATURES;
	uint32_t c = 0;
	bool drawn = false;

	__asm__ volatile("cpuid" : "+a"(a), "+c"(c)::"ebx", "edx");
	*word = 0;
	if ((c & CPUID_ECX_RDRAND) == 0) {
		return false;
	}
	for (unsigned int i = 0; i < TRIES && !drawn; i++) {
		__asm__ volatile("rdrand %0" : "=r"(*word), "=@ccc"(drawn));
	}
	return drawn;
}
