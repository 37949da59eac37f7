/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of mixed sizes that come and go: a place is drawn; what is there is freed, and
 * an empty one gets a block of a random size. The number of places says how full the
 * heap is. Where it is nearly full some requests find no room; what those cost is a row
 * of its own. The first rounds, in which the heap fills, are samples too.
 */
#include "heap.h"

#define SAMPLES   ((uint32_t)CONFIG_MEASURE_SAMPLES)
#define BYTES_MAX 90U /* a block has 1 to 90 bytes */

/* At most so many draws a sample: when they don't do, what is waited for never comes. */
#define DRAWS_MAX 8U

/* Half of the places have a block, on the average: two fifths of 4 KiB, or all of them. */
#define HALF_FULL   60U
#define NEARLY_FULL PLACES

static struct measure_row refused_row;

static bool is_complete(const struct measure_row *refused)
{
	return heap_malloc_row.n >= SAMPLES && heap_free_row.n >= SAMPLES &&
	       (refused == NULL || refused->n * 10U + 9U >= SAMPLES);
}

static void come_and_go(uint32_t places, struct measure_row *refused)
{
	/* Bound: DRAWS_MAX times SAMPLES. */
	for (uint32_t draw = 0; draw < DRAWS_MAX * SAMPLES; draw++) {
		uint32_t i = heap_random(places);

		if (is_complete(refused)) {
			return;
		}
		if (heap_has(i)) {
			blocks_give_back(i);
		} else {
			(void)heap_allocate(i, 1U + heap_random(BYTES_MAX), refused);
		}
	}
	measure_fail(&heap_malloc_row, "too few samples");
	measure_fail(&heap_free_row, "too few samples");
	if (refused != NULL) {
		measure_fail(refused, "too few samples");
	}
}

void heap_mixed(void)
{
	heap_rows_begin("heap_in_use.mixed.half_full.malloc",
			"Allocate 1 to 90 bytes, the heap half full",
			"heap_in_use.mixed.half_full.free", "Free such a block, in random order");
	come_and_go(HALF_FULL, NULL);
	heap_rows_end();

	measure_row_begin(&refused_row, "heap_in_use.mixed.nearly_full.refused",
			  "Allocate 1 to 90 bytes, and there is no room");
	heap_rows_begin("heap_in_use.mixed.nearly_full.malloc",
			"Allocate 1 to 90 bytes, the heap nearly full",
			"heap_in_use.mixed.nearly_full.free", "Free such a block, in random order");
	come_and_go(NEARLY_FULL, &refused_row);
	heap_rows_end();
	measure_row_end(&refused_row);
}
