/* SPDX-License-Identifier: Apache-2.0 */
/* Storms over heaps and slabs: blocks that nobody else writes into. */
#include "model.h"
#include "storm.h"

#define BLOCKS 10

struct held {
	unsigned char *block;
	size_t size;
	bool busy; /* somebody is about to fill or to empty this place */
};

static struct k_heap heap;
static uint64_t heap_memory[64];
static struct held heap_held[BLOCKS];
static struct k_mem_slab slab;
static uint64_t slab_memory[6 * 4];
static struct held slab_held[BLOCKS];

static void heap_init_job(void)
{
	k_heap_init(&heap, heap_memory, sizeof(heap_memory));
}

static void slab_init_job(void)
{
	CHECK(k_mem_slab_init(&slab, slab_memory, 32, 6) == 0);
}

static struct held *claim(struct held *held)
{
	struct held *place = &held[random_below(BLOCKS)];
	unsigned int key = irq_lock();

	if (place->busy) {
		place = NULL;
	} else {
		place->busy = true;
	}
	irq_unlock(key);
	return place;
}

static void keep_block(struct held *place, void *block, size_t size)
{
	place->size = block == NULL ? 0 : size;
	for (size_t i = 0; i < place->size; i++) {
		((unsigned char *)block)[i] = (unsigned char)(size + (uintptr_t)place);
	}
	place->block = block;
}

static void *check_block(struct held *place)
{
	unsigned char *block = place->block;

	for (size_t i = 0; i < place->size; i++) {
		CHECK(block[i] == (unsigned char)(place->size + (uintptr_t)place));
	}
	place->block = NULL;
	place->size = 0;
	return block;
}

static void heap_resize(struct held *place, k_timeout_t timeout)
{
	size_t old_size = place->size;
	size_t size = 1 + random_below(100);
	unsigned char *block = k_heap_realloc(&heap, place->block, size, timeout);

	if (block == NULL) {
		return; /* the old one stays as it is */
	}
	for (size_t i = 0; i < MIN(old_size, size); i++) {
		CHECK(block[i] == (unsigned char)(old_size + (uintptr_t)place));
	}
	keep_block(place, block, size);
}

static void heap_use(k_timeout_t timeout)
{
	struct held *place = claim(heap_held);

	if (place == NULL) {
		return;
	}
	if (place->block != NULL && one_in(3)) {
		heap_resize(place, timeout);
	} else if (place->block != NULL) {
		k_heap_free(&heap, check_block(place));
	} else {
		size_t size = 1 + random_below(100);

		keep_block(place, k_heap_alloc(&heap, size, timeout), size);
	}
	place->busy = false;
}

static void heap_in_thread(int self)
{
	heap_use(storm_timeout());
}

static void heap_in_isr(void)
{
	heap_use(K_NO_WAIT);
}

static void heap_at_rest(void)
{
	(void)storm_check_waiters(&heap.wait_q);
}

static void heap_end(void)
{
	void *all;

	for (int i = 0; i < BLOCKS; i++) {
		CHECK(!heap_held[i].busy);
		k_heap_free(&heap, check_block(&heap_held[i]));
	}
	all = k_heap_alloc(&heap, sizeof(heap_memory) - 2 * HEAP_UNIT, K_NO_WAIT);
	CHECK(all != NULL);
}

const struct storm_job storm_heap = {
	"heap", heap_init_job, heap_in_thread, heap_in_isr, heap_at_rest, heap_end,
};

static void slab_use(k_timeout_t timeout)
{
	struct held *place = claim(slab_held);
	void *block = NULL;

	if (place == NULL) {
		return;
	}
	if (place->block != NULL) {
		k_mem_slab_free(&slab, check_block(place));
	} else {
		(void)k_mem_slab_alloc(&slab, &block, timeout);
		keep_block(place, block, 32);
	}
	place->busy = false;
}

static void slab_in_thread(int self)
{
	slab_use(storm_timeout());
}

static void slab_in_isr(void)
{
	slab_use(K_NO_WAIT);
}

static void slab_at_rest(void)
{
	CHECK(storm_check_waiters(&slab.wait_q) == 0 || slab.num_used == slab.num_blocks);
}

static void slab_end(void)
{
	for (int i = 0; i < BLOCKS; i++) {
		if (slab_held[i].block != NULL) {
			k_mem_slab_free(&slab, check_block(&slab_held[i]));
		}
	}
	CHECK(k_mem_slab_num_used_get(&slab) == 0);
}

const struct storm_job storm_slab = {
	"slab", slab_init_job, slab_in_thread, slab_in_isr, slab_at_rest, slab_end,
};
