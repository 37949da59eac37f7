/* SPDX-License-Identifier: Apache-2.0 */
/* malloc and free by caller; what a heap in use costs is the suite `heap`. */
#include "states.h"

static void *block;

MEASURE_WINDOW(allocate, block = k_malloc(10))
MEASURE_WINDOW(allocate_too_much, block = k_malloc(CONFIG_HEAP_MEM_POOL_SIZE + 64))
MEASURE_WINDOW(release, k_free(block))

static void allocate_it(void)
{
	block = k_malloc(10);
}

static void allocated(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "allocated", block != NULL);
	k_free(block);
}

static void refused(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "refused", block == NULL);
}

static void released(struct measure_row *row, intptr_t result)
{
	void *again = k_malloc(10);

	measure_witness(row, "released", again == block);
	k_free(again);
}

void states_heap(void)
{
	states_single(&(struct measure_operation){"heap.malloc.immediate", "Allocate 10 bytes",
						  allocate, NULL, allocated},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"heap.malloc.refused",
						  "Allocate more than there is", allocate_too_much,
						  NULL, refused},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"heap.free.immediate", "Free 10 bytes", release,
						  allocate_it, released},
		      CALLERS_ALL);
}
