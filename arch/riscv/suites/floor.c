/* SPDX-License-Identifier: Apache-2.0 */
/* The floor's own vectors: mtvec, vectored, of which Ibex knows nothing else. */
#include "suites/floor/floor.h"

#define MTVEC_VECTORED 1U

extern const char floor_vectors_returning[];
extern const char floor_vectors_switching[];
extern const char floor_vectors_calls[]; /* floor_user.S */

static uintptr_t kernels_vectors;

static void take(const char *vectors)
{
	uintptr_t mtvec = (uintptr_t)vectors | MTVEC_VECTORED;
	uintptr_t before;

	__asm__ volatile("csrrw %0, mtvec, %1" : "=r"(before) : "r"(mtvec) : "memory");
	if (kernels_vectors == 0) {
		kernels_vectors = before;
	}
}

void floor_vectors_take(enum floor_exit how)
{
	take(how == FLOOR_EXIT_SWITCHES ? floor_vectors_switching : floor_vectors_returning);
}

void floor_vectors_return(void)
{
	__asm__ volatile("csrw mtvec, %0" ::"r"(kernels_vectors) : "memory");
	kernels_vectors = 0;
}

void floor_calls_take(void)
{
	take(floor_vectors_calls);
}

void floor_calls_return(void)
{
	floor_vectors_return();
}

/* Which table is in use says it. */
void floor_request_switch(void)
{
}
