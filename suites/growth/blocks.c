/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of the heap that are in use beside the one that is allocated and freed, and holes
 * between them: so many free blocks, each too small for what is asked for.
 */
#include "growth.h"

#define BYTES 16U /* of each */
#define ASKED 64U /* by the rows */

static void *blocks[2U * CONFIG_GROWTH_MAX];
static void *block;

MEASURE_WINDOW(allocate, block = k_malloc(ASKED); result = (intptr_t)block)
MEASURE_WINDOW(release, k_free(block))

static void allocate_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "allocated", result != 0);
}

static void release_after(struct measure_row *row, intptr_t result)
{
	block = k_malloc(ASKED);
	measure_witness(row, "free_again", block != NULL);
	k_free(block);
}

static void measure_heap(const char *malloc_id, const char *malloc_text, const char *free_id,
			 const char *free_text)
{
	measure_turns(
		&(struct measure_operation){malloc_id, malloc_text, allocate, NULL, allocate_after},
		&(struct measure_operation){free_id, free_text, release, NULL, release_after});
}

static void fill(uint32_t n)
{
	for (uint32_t i = 0; i < 2U * n; i++) {
		blocks[i] = k_malloc(BYTES);
	}
}

/* Every second one goes, so that a hole of the size of one is behind each that stays. */
static void punch(uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		k_free(blocks[2U * i]);
		blocks[2U * i] = NULL;
	}
}

static void empty(uint32_t n)
{
	for (uint32_t i = 0; i < 2U * n; i++) {
		k_free(blocks[i]);
		blocks[i] = NULL;
	}
}

void growth_blocks(uint32_t n)
{
	static char names[4][40];
	static const char *const ids[] = {"growth.heap.malloc", "growth.heap.free",
					  "growth.holes.malloc", "growth.holes.free"};

	for (uint32_t i = 0; i < ARRAY_SIZE(ids); i++) {
		(void)snprintk(names[i], sizeof(names[i]), "%s", growth_name(ids[i], n));
	}
	fill(n);
	measure_heap(names[0], "Allocate 64 bytes beside so many blocks", names[1], "Free them");
	punch(n);
	measure_heap(names[2], "Allocate 64 bytes beside so many holes", names[3], "Free them");
	empty(n);
}
