/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The system heap, as Zephyr's rows have it: 100 blocks of 10 bytes are allocated one
 * after the other, then all are freed. Windows: one call each, no averages, whatever
 * the texts say, which are Zephyr's.
 */
#include "latency.h"

#define BLOCKS      100U
#define BLOCK_BYTES 10U
#define ALIGNMENT   8U

static struct measure_row malloc_row;
static struct measure_row free_row;

static char *blocks[BLOCKS];
static void *block;

MEASURE_WINDOW(allocate, result = (intptr_t)k_malloc(BLOCK_BYTES))
MEASURE_WINDOW(release, k_free(block))

/* Each block is filled with its number; who overlaps with another spoils it. */
static void fill(char *start, uint32_t number)
{
	for (uint32_t i = 0; i < BLOCK_BYTES; i++) {
		start[i] = (char)number;
	}
}

static bool is_unspoilt(const char *start, uint32_t number)
{
	for (uint32_t i = 0; i < BLOCK_BYTES; i++) {
		if (start[i] != (char)number) {
			return false;
		}
	}
	return true;
}

static void allocate_blocks(uint32_t count)
{
	/* Bound: BLOCKS. */
	for (uint32_t i = 0; i < count; i++) {
		struct measure_window window;

		blocks[i] = (char *)allocate(&window);
		measure_add(&malloc_row, window.start, window.end);
		measure_witness(&malloc_row, "allocated", blocks[i] != NULL);
		measure_witness(&malloc_row, "aligned", (uintptr_t)blocks[i] % ALIGNMENT == 0);
		if (blocks[i] != NULL) {
			fill(blocks[i], i);
		}
	}
}

/* The whole heap is one free block again. */
static bool heap_is_whole(void)
{
	void *whole = k_malloc(CONFIG_HEAP_MEM_POOL_SIZE);

	k_free(whole);
	return whole != NULL;
}

static void release_blocks(uint32_t count)
{
	bool all_freed;

	/* Bound: BLOCKS. */
	for (uint32_t i = 0; i < count; i++) {
		struct measure_window window;

		block = blocks[i];
		measure_witness(&malloc_row, "disjoint", block != NULL && is_unspoilt(block, i));
		(void)release(&window);
		measure_add(&free_row, window.start, window.end);
	}
	all_freed = heap_is_whole();
	/* Bound: BLOCKS. */
	for (uint32_t i = 0; i < count; i++) {
		measure_witness(&free_row, "freed", all_freed);
	}
}

void latency_heap(void)
{
	uint32_t left = CONFIG_MEASURE_SAMPLES;

	measure_row_begin(&malloc_row, "heap.malloc.immediate", "Average time for heap malloc");
	measure_row_begin(&free_row, "heap.free.immediate", "Average time for heap free");
	/* Bound: CONFIG_MEASURE_SAMPLES. */
	while (left != 0) {
		uint32_t count = MIN(left, BLOCKS);

		allocate_blocks(count);
		release_blocks(count);
		left -= count;
	}
	measure_row_end(&malloc_row);
	measure_row_end(&free_row);
}
