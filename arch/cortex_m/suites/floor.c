/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The floor's own vectors: a copy of the kernel's in RAM, where the handler itself
 * stands for the line, since the hardware saves what a C function may change.
 */
#include "suites/floor/floor.h"

#include <board.h>

#define VTOR         (*(volatile uintptr_t *)0xE000ED08)
#define NUM_VECTORS  (16U + ARCH_NUM_IRQS)
#define SVC          11U
#define PENDSV       14U
#define VECTOR_ALIGN 512 /* a power of two of at least the table's bytes, for up to 112 lines */

BUILD_ASSERT(NUM_VECTORS * sizeof(uintptr_t) <= VECTOR_ALIGN, "VECTOR_ALIGN is too small");

void floor_pendsv(void);
void floor_svc(void);

static uintptr_t vectors[NUM_VECTORS] __aligned(VECTOR_ALIGN);
static uintptr_t kernels_vectors; /* 0 is an address like others */
static bool taken;

/* A copy of the kernel's, with one of the floor's own in it. */
static void copy_kernels(uint32_t number, void (*handler)(void))
{
	if (!taken) {
		kernels_vectors = VTOR;
		taken = true;
	}
	/* Bound: NUM_VECTORS. */
	for (uint32_t i = 0; i < NUM_VECTORS; i++) {
		vectors[i] = ((const volatile uintptr_t *)kernels_vectors)[i];
	}
	vectors[number] = (uintptr_t)handler;
	VTOR = (uintptr_t)vectors;
	__asm__ volatile("dsb\n\tisb" ::: "memory");
}

void floor_vectors_take(enum floor_exit how)
{
	copy_kernels(PENDSV, floor_pendsv);
	vectors[16U + BOARD_SOFT_IRQ] = (uintptr_t)floor_handler;
}

void floor_vectors_return(void)
{
	VTOR = kernels_vectors;
	__asm__ volatile("dsb\n\tisb" ::: "memory");
	taken = false;
}

void floor_calls_take(void)
{
	copy_kernels(SVC, floor_svc);
}

void floor_calls_return(void)
{
	floor_vectors_return();
}

void floor_request_switch(void)
{
	ARCH_ICSR = ARCH_ICSR_PENDSV;
}
