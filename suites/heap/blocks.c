/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The blocks, and the samples taken of them. Windows: one call each. Every byte of a
 * block is written when it is handed out and compared when it is given back, so that
 * blocks that overlap, or a heap that writes into one, fail the row.
 */
#include "heap.h"

struct measure_row heap_malloc_row;
struct measure_row heap_free_row;

static struct {
	uint8_t *start;
	size_t bytes;
} blocks[PLACES];

static uint32_t random_state;
static size_t wanted;
static void *released;

MEASURE_WINDOW(allocate, result = (intptr_t)k_malloc(wanted))
MEASURE_WINDOW(release, k_free(released))

uint32_t heap_random(uint32_t limit)
{
	random_state = random_state * 1664525U + 1013904223U;
	return (random_state >> 8) % limit;
}

bool heap_has(uint32_t i)
{
	return blocks[i].start != NULL;
}

static void fill(uint32_t i)
{
	/* Bound: the size of a block. */
	for (size_t at = 0; at < blocks[i].bytes; at++) {
		blocks[i].start[at] = (uint8_t)(i + at);
	}
}

static bool is_unspoilt(uint32_t i)
{
	/* Bound: the size of a block. */
	for (size_t at = 0; at < blocks[i].bytes; at++) {
		if (blocks[i].start[at] != (uint8_t)(i + at)) {
			return false;
		}
	}
	return true;
}

bool heap_allocate(uint32_t i, size_t bytes, struct measure_row *refused)
{
	struct measure_window window;
	uint8_t *start;

	wanted = bytes;
	start = (uint8_t *)allocate(&window);
	if (start == NULL) {
		if (refused != NULL) {
			measure_add(refused, window.start, window.end);
			measure_witness(refused, "refused", true);
		}
		return false;
	}
	measure_add(&heap_malloc_row, window.start, window.end);
	measure_witness(&heap_malloc_row, "aligned", (uintptr_t)start % HEAP_UNIT == 0);
	blocks[i].start = start;
	blocks[i].bytes = bytes;
	fill(i);
	return true;
}

void blocks_give_back(uint32_t i)
{
	struct measure_window window;

	measure_witness(&heap_free_row, "unspoilt", is_unspoilt(i));
	released = blocks[i].start;
	blocks[i].start = NULL;
	(void)release(&window);
	measure_add(&heap_free_row, window.start, window.end);
}

void heap_rows_begin(const char *malloc_id, const char *malloc_text, const char *free_id,
		     const char *free_text)
{
	random_state = 1;
	measure_row_begin(&heap_malloc_row, malloc_id, malloc_text);
	measure_row_begin(&heap_free_row, free_id, free_text);
}

/* The whole heap is one free block again. */
static bool is_whole(void)
{
	void *whole = k_malloc(CONFIG_HEAP_MEM_POOL_SIZE);

	k_free(whole);
	return whole != NULL;
}

void heap_rows_end(void)
{
	for (uint32_t i = 0; i < PLACES; i++) {
		k_free(blocks[i].start);
		blocks[i].start = NULL;
	}
	if (!is_whole()) {
		measure_fail(&heap_malloc_row, "the heap is not whole when all is freed");
		measure_fail(&heap_free_row, "the heap is not whole when all is freed");
	}
	measure_row_end(&heap_malloc_row);
	measure_row_end(&heap_free_row);
}
