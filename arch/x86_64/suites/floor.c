/* SPDX-License-Identifier: Apache-2.0 */
/* The floor's own vectors: the kernel's, but for the line that software raises. */
#include "suites/floor/floor.h"
#include <arch_descriptors.h>
#include <board.h>

extern const char floor_vector_returning[];
extern const char floor_vector_switching[];

static struct gate gates[GATES];
static struct table_pointer kernels;

/* The low half of a vector is a line, but for exceptions. */
static bool is_ours(unsigned int vector)
{
	return vector >= 32 && vector % 16 == BOARD_SOFT_IRQ;
}

void floor_vectors_take(enum floor_exit how)
{
	const char *handler = how == FLOOR_EXIT_SWITCHES ? floor_vector_switching
							 : floor_vector_returning;
	struct table_pointer own = {sizeof(gates) - 1, (uintptr_t)gates};

	if (kernels.base == 0) {
		__asm__ volatile("sidt %0" : "=m"(kernels));
	}
	for (unsigned int i = 0; i < GATES; i++) {
		gates[i] = is_ours(i) ? gate_to((uintptr_t)handler, 0)
				      : ((const struct gate *)kernels.base)[i];
	}
	__asm__ volatile("lidt %0" ::"m"(own) : "memory");
}

void floor_vectors_return(void)
{
	__asm__ volatile("lidt %0" ::"m"(kernels) : "memory");
	kernels.base = 0;
}

/* Where the vector leads says it. */
void floor_request_switch(void)
{
}
