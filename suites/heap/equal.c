/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 100 blocks of 10 bytes are allocated one after the other, then all are freed, in one
 * order or another; the order decides what a free block has for neighbours. `holes`
 * frees every second one first, so that each of the others joins two free blocks.
 */
#include "heap.h"

#define BLOCKS      100U
#define BLOCK_BYTES 10U

static uint32_t order[BLOCKS];

static void order_ahead(void)
{
	for (uint32_t i = 0; i < BLOCKS; i++) {
		order[i] = i;
	}
}

static void order_backwards(void)
{
	for (uint32_t i = 0; i < BLOCKS; i++) {
		order[i] = BLOCKS - 1U - i;
	}
}

static void order_shuffled(void)
{
	order_ahead();
	/* Bound: BLOCKS. */
	for (uint32_t i = BLOCKS - 1U; i > 0; i--) {
		uint32_t j = heap_random(i + 1U);
		uint32_t kept = order[i];

		order[i] = order[j];
		order[j] = kept;
	}
}

static void order_holes(void)
{
	for (uint32_t i = 0; i < BLOCKS; i++) {
		order[i] = i < BLOCKS / 2U ? 2U * i : 2U * (i - BLOCKS / 2U) + 1U;
	}
}

static void measure_order(const char *malloc_id, const char *malloc_text, const char *free_id,
			  const char *free_text, void (*make_order)(void))
{
	heap_rows_begin(malloc_id, malloc_text, free_id, free_text);
	/* Bound: CONFIG_MEASURE_SAMPLES. */
	while (heap_free_row.n < (uint32_t)CONFIG_MEASURE_SAMPLES) {
		uint32_t left = (uint32_t)CONFIG_MEASURE_SAMPLES - heap_free_row.n;

		for (uint32_t i = 0; i < BLOCKS; i++) {
			if (!heap_allocate(i, BLOCK_BYTES, NULL)) {
				measure_fail(&heap_malloc_row, "the heap is too small");
				heap_rows_end();
				return;
			}
		}
		make_order();
		for (uint32_t i = 0; i < MIN(left, BLOCKS); i++) {
			blocks_give_back(order[i]);
		}
		if (left < BLOCKS) {
			break;
		}
	}
	heap_rows_end();
}

void heap_equal(void)
{
	measure_order("heap_in_use.equal.in_order.malloc", "Allocate 10 bytes, of 100 such blocks",
		      "heap_in_use.equal.in_order.free", "Free them in the order of allocation",
		      order_ahead);
	measure_order("heap_in_use.equal.backwards.malloc", "Allocate 10 bytes, of 100 such blocks",
		      "heap_in_use.equal.backwards.free", "Free them from the last to the first",
		      order_backwards);
	measure_order("heap_in_use.equal.shuffled.malloc", "Allocate 10 bytes, of 100 such blocks",
		      "heap_in_use.equal.shuffled.free", "Free them in random order",
		      order_shuffled);
	measure_order("heap_in_use.equal.holes.malloc", "Allocate 10 bytes, of 100 such blocks",
		      "heap_in_use.equal.holes.free", "Free every second one, then those between",
		      order_holes);
}
