/* SPDX-License-Identifier: Apache-2.0 */
/* The floor's own vectors: VBAR. */
#include "suites/floor/floor.h"
#include <arch_level.h>

extern const char floor_vectors_returning[];
extern const char floor_vectors_switching[];

static uintptr_t kernels_vectors;

static void use(uintptr_t vectors)
{
	AARCH64_WRITE(AARCH64_OWN(vbar), vectors);
	__asm__ volatile("isb" ::: "memory");
}

void floor_vectors_take(enum floor_exit how)
{
	if (kernels_vectors == 0) {
		AARCH64_READ(AARCH64_OWN(vbar), kernels_vectors);
	}
	use((uintptr_t)(how == FLOOR_EXIT_SWITCHES ? floor_vectors_switching
						   : floor_vectors_returning));
}

void floor_vectors_return(void)
{
	use(kernels_vectors);
	kernels_vectors = 0;
}

#ifdef CONFIG_USERSPACE
void floor_calls_take(void)
{
	extern const char floor_vectors_calls[];

	AARCH64_READ(AARCH64_OWN(vbar), kernels_vectors);
	use((uintptr_t)floor_vectors_calls);
}

void floor_calls_return(void)
{
	floor_vectors_return();
}
#endif

/* Which table is in use says it. */
void floor_request_switch(void)
{
}
