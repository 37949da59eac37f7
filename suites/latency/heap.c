/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The system heap, as Zephyr's rows have it: a block of 10 bytes is allocated out of a
 * heap that is otherwise empty, and freed at once. Windows: one call each, no averages,
 * whatever the texts say, which are Zephyr's. This is the easiest that a heap can have
 * it; suites/heap measures what it costs in use.
 */
#include "latency.h"

#define BLOCK_BYTES 10U
#define ALIGNMENT   8U

static char *block;

MEASURE_WINDOW(allocate, result = (intptr_t)k_malloc(BLOCK_BYTES))
MEASURE_WINDOW(release, k_free(block))

/* All of the block is ours: the heap must survive that every byte is written. */
static void allocate_after(struct measure_row *row, intptr_t result)
{
	block = (char *)result;
	measure_witness(row, "allocated", block != NULL);
	measure_witness(row, "aligned", (uintptr_t)block % ALIGNMENT == 0);
	if (block != NULL) {
		for (uint32_t i = 0; i < BLOCK_BYTES; i++) {
			block[i] = (char)0xA5;
		}
	}
}

/* The whole heap is one free block again. */
static void release_after(struct measure_row *row, intptr_t result)
{
	void *whole = k_malloc(CONFIG_HEAP_MEM_POOL_SIZE);

	measure_witness(row, "freed", whole != NULL);
	k_free(whole);
}

void latency_heap(void)
{
	measure_turns(
		&(struct measure_operation){"heap.malloc.immediate", "Average time for heap malloc",
					    allocate, NULL, allocate_after},
		&(struct measure_operation){"heap.free.immediate", "Average time for heap free",
					    release, NULL, release_after});
}
