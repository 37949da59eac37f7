/* SPDX-License-Identifier: Apache-2.0 */
/* Loads that take memory and give it back: nobody else writes it meanwhile, and none is lost. */
#include "soak.h"

static void fill(uint8_t *bytes, size_t size, uint32_t mark)
{
	for (size_t i = 0; i < size; i++) {
		bytes[i] = (uint8_t)(mark + i);
	}
}

static bool is_filled(const uint8_t *bytes, size_t size, uint32_t mark)
{
	for (size_t i = 0; i < size; i++) {
		if (bytes[i] != (uint8_t)(mark + i)) {
			return false;
		}
	}
	return true;
}

/* ---- slab ---- */

K_MEM_SLAB_DEFINE(slab, 24, 3, 8);

static void slab_user(void *p1, void *p2, void *p3)
{
	uint32_t state = 20U + (uint32_t)(uintptr_t)p1;

	while (!soak_ends) {
		void *block, *more;

		if (k_mem_slab_alloc(&slab, &block, random_wait(&state)) == 0) {
			uint32_t mark = random_next(&state);

			fill(block, 24, mark);
			random_pause(&state);
			if (k_mem_slab_alloc(&slab, &more, K_NO_WAIT) == 0) {
				k_mem_slab_free(&slab, more);
			}
			HOLDS(is_filled(block, 24, mark));
			k_mem_slab_free(&slab, block);
			load_slab.done++;
		}
	}
}

static void slab_begin(void)
{
	for (uintptr_t i = 0; i < 2; i++) {
		soak_start(slab_user, (void *)i, 6 + (int)i);
	}
}

static void slab_end(void)
{
	HOLDS(k_mem_slab_num_used_get(&slab) == 0);
}

struct load load_slab = {"slab", slab_begin, NULL, slab_end, 0};

/* ---- heap: whoever finds no room waits for it ---- */

#define MOST 700

K_HEAP_DEFINE(heap, 1024);
static size_t most_at_first;

/* The largest block that there is. */
static size_t most_free(void)
{
	for (size_t size = 1024; size != 0; size -= 8) {
		void *block = k_heap_alloc(&heap, size, K_NO_WAIT);

		if (block != NULL) {
			k_heap_free(&heap, block);
			return size;
		}
	}
	return 0;
}

static void heap_user(void *p1, void *p2, void *p3)
{
	uint32_t state = 30U + (uint32_t)(uintptr_t)p1;

	while (!soak_ends) {
		size_t size = 1 + random_next(&state) % MOST,
		       larger = size + random_next(&state) % 64U;
		uint32_t mark = random_next(&state);
		uint8_t *block = k_heap_alloc(&heap, size, random_wait(&state)), *moved;

		if (block == NULL) {
			continue;
		}
		fill(block, size, mark);
		random_pause(&state);
		moved = k_heap_realloc(&heap, block, larger, K_NO_WAIT);
		block = moved != NULL ? moved : block;
		HOLDS(is_filled(block, size, mark));
		k_heap_free(&heap, block);
		load_heap.done++;
	}
}

static void heap_begin(void)
{
	most_at_first = most_free();
	HOLDS(most_at_first > MOST);
	for (uintptr_t i = 0; i < 2; i++) {
		soak_start(heap_user, (void *)i, 7 - (int)i);
	}
}

static void heap_end(void)
{
	HOLDS(most_free() == most_at_first);
}

struct load load_heap = {"heap", heap_begin, NULL, heap_end, 0};

/* ---- what nobody writes: read whenever nothing else runs, so that the processor never idles ---- */

#define WORDS 64

static uint32_t untouched[WORDS];

static void watcher(void *p1, void *p2, void *p3)
{
	while (!soak_ends) {
		for (uint32_t i = 0; i < WORDS; i++) {
			HOLDS(*(volatile uint32_t *)&untouched[i] == ~i);
		}
		load_memory.done++;
	}
}

static void memory_begin(void)
{
	for (uint32_t i = 0; i < WORDS; i++) {
		untouched[i] = ~i;
	}
	if (IS_ENABLED(CONFIG_HOSTED)) {
		load_memory.done = 1; /* time passes there when nobody runs, and not before */
	} else {
		soak_start(watcher, NULL, K_LOWEST_APPLICATION_THREAD_PRIO);
	}
}

static void memory_end(void)
{
}

struct load load_memory = {"memory", memory_begin, NULL, memory_end, 0};
