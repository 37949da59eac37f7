/* SPDX-License-Identifier: Apache-2.0 */
/* Heaps and memory slabs. */
#include <zephyr/sys/sys_heap.h>
#include "test.h"

#define BLOCKS 3

K_HEAP_DEFINE(heap, 512);
K_MEM_SLAB_DEFINE(slab, 20, BLOCKS, 8);
static void *got;

static void slab_alloc_and_note(void *letter)
{
	CHECK_EQ(k_mem_slab_alloc(&slab, &got, K_FOREVER), 0);
	note(*(const char *)letter);
	k_mem_slab_free(&slab, got);
}

static void heap_alloc_and_note(void *letter)
{
	void *block = k_heap_alloc(&heap, 100, K_FOREVER);

	CHECK(block != NULL);
	note(*(const char *)letter);
	k_heap_free(&heap, block);
}

static bool is_zero(const char *block, size_t size)
{
	while (size > 0 && *block++ == 0) {
		size--;
	}
	return size == 0;
}

TEST(heap_malloc_and_free)
{
	char *a = k_malloc(10);
	char *b = k_malloc(10);

	CHECK(a != NULL && b != NULL && a != b);
	CHECK_EQ((uintptr_t)a % 8, 0);
	CHECK_EQ((uintptr_t)b % 8, 0);
	CHECK(a + 10 <= b || b + 10 <= a);
	k_free(a);
	k_free(b);
	k_free(NULL);
	CHECK(k_malloc(0) == NULL);
	CHECK(k_malloc(SIZE_MAX) == NULL);
	CHECK(k_malloc(SIZE_MAX / 2) == NULL);
	CHECK(k_calloc(SIZE_MAX / 2, 3) == NULL);
}

TEST(heap_exhaustion_is_null_and_no_more)
{
	void *first = k_malloc(32);
	void *last = first;
	int count = 0;

	*(void **)first = NULL;
	for (void *block; (block = k_malloc(32)) != NULL; count++) {
		*(void **)block = last;
		last = block;
	}
	CHECK(count > 20);
	CHECK(k_calloc(1, 32) == NULL);
	CHECK(k_aligned_alloc(64, 32) == NULL);
	CHECK(k_realloc(first, 4096) == NULL);
	while (last != NULL) {
		void *next = *(void **)last;

		k_free(last);
		last = next;
	}
	first = k_malloc(CONFIG_HEAP_MEM_POOL_SIZE);
	CHECK(first != NULL);
	k_free(first);
}

TEST(heap_calloc_aligned_realloc)
{
	char *block = k_malloc(40);

	__builtin_memset(block, 0xee, 40);
	k_free(block);
	block = k_calloc(4, 10);
	CHECK(is_zero(block, 40));
	block[0] = 'x';
	block[39] = 'y';
	block = k_realloc(block, 200);
	CHECK(block[0] == 'x' && block[39] == 'y');
	block = k_realloc(block, 8);
	CHECK(block[0] == 'x');
	CHECK(k_realloc(block, 0) == NULL);
	for (size_t align = 4; align <= 256; align *= 2) {
		block = k_aligned_alloc(align, 24);
		CHECK(block != NULL);
		CHECK_EQ((uintptr_t)block % align, 0);
		k_free(block);
	}
	block = k_realloc(NULL, 16);
	CHECK(block != NULL);
	k_free(block);
}

/* A heap of an application's own, which nobody waits at. */
TEST(heap_of_an_applications_own)
{
	static char memory[256] __aligned(16);
	static struct sys_heap own;
	char *block, *next, *moved;

	sys_heap_init(&own, memory, 3); /* less than it needs itself */
	CHECK(sys_heap_alloc(&own, 1) == NULL);
	sys_heap_init(&own, memory, sizeof(memory));
	CHECK(sys_heap_aligned_alloc(&own, 24, 16) == NULL);
	CHECK(sys_heap_aligned_alloc(&own, 16, 0) == NULL);
	CHECK(sys_heap_aligned_alloc(&own, (size_t)1 << (sizeof(size_t) * 8 - 1), 16) == NULL);
	block = sys_heap_realloc(&own, NULL, 24);
	CHECK(block != NULL && sys_heap_usable_size(&own, block) >= 24);
	next = sys_heap_alloc(&own, 24);
	block[0] = 'a';
	block[23] = 'z';
	moved = sys_heap_realloc(&own, block, 60); /* somebody is behind it */
	CHECK(moved != NULL && moved != block && moved[0] == 'a' && moved[23] == 'z');
	CHECK(sys_heap_realloc(&own, moved, 200) == NULL); /* there is no room: it stays */
	CHECK(moved[0] == 'a' && moved[23] == 'z');
	CHECK(sys_heap_realloc(&own, moved, 20) == moved);
	moved = sys_heap_aligned_realloc(&own, moved, 64, 22);
	CHECK(moved != NULL && (uintptr_t)moved % 64 == 0 && moved[0] == 'a');
	CHECK(sys_heap_aligned_realloc(&own, moved, 64, 20) == moved);
	CHECK(sys_heap_realloc(&own, moved, 0) == NULL);
	sys_heap_free(&own, NULL);
	sys_heap_free(&own, next);
	block = sys_heap_alloc(&own, 160); /* all is one again */
	CHECK(block != NULL);
	sys_heap_free(&own, block);
}

TEST(heap_waiters_by_priority_then_first_come)
{
	void *all = k_heap_alloc(&heap, 450, K_NO_WAIT);

	CHECK(all != NULL);
	start(heap_alloc_and_note, "a", 5);
	start(heap_alloc_and_note, "b", 4);
	start(heap_alloc_and_note, "c", 5);
	CHECK_NOTES("");
	k_heap_free(&heap, all);
	CHECK_NOTES("bac");
}

TEST(heap_timeout_is_exact)
{
	void *all = k_heap_alloc(&heap, 450, K_NO_WAIT);
	uint32_t begin;

	next_tick();
	begin = tick();
	CHECK(k_heap_alloc(&heap, 100, K_TICKS(3)) == NULL);
	CHECK_EQ(tick() - begin, 4);
	k_heap_free(&heap, all);
	CHECK(k_heap_alloc(&heap, 10000, K_FOREVER) == NULL);
}

/* Refused without waiting: a time-out of this length ends later than a tick from now. */
#define SOON K_TICKS(3)

static void is_soon(uint32_t begin)
{
	CHECK(tick() - begin <= 1);
}

/* In debug builds they are a named assertion: see misuse/. */
TEST(heap_refuses_alignments_that_are_no_power_of_two)
{
	static const size_t odd[] = {3, 5, 6, 7, 12, 24, 96, SIZE_MAX};
	uint32_t begin = tick();

	for (unsigned int i = 0; i < ARRAY_SIZE(odd) && !ASSERTIONS; i++) {
		CHECK(k_heap_aligned_alloc(&heap, odd[i], 16, K_NO_WAIT) == NULL);
		CHECK(k_heap_aligned_alloc(&heap, odd[i], 16, K_FOREVER) == NULL);
		CHECK(k_aligned_alloc(odd[i], 16) == NULL);
	}
	is_soon(begin);
}

/* Whatever is asked of an empty heap: it is there, or there never can be. */
TEST(heap_what_can_never_fit_is_refused_at_once)
{
	for (size_t align = 0; align <= 256; align = align == 0 ? 8 : 2 * align) {
		bool had = true;

		for (size_t bytes = 512 - align - align / 2; bytes < 560; bytes++) {
			uint32_t begin = tick();
			void *block = k_heap_aligned_alloc(&heap, align, bytes, SOON);

			is_soon(begin);
			CHECK(had || block == NULL);
			had = block != NULL;
			k_heap_free(&heap, block);
		}
		CHECK(!had);
	}
	for (size_t bytes = 500; bytes < 560; bytes++) {
		uint32_t begin = tick();

		k_heap_free(&heap, k_heap_alloc(&heap, bytes, SOON));
		k_heap_free(&heap, k_heap_calloc(&heap, bytes, 1, SOON));
		k_heap_free(&heap, k_heap_realloc(&heap, NULL, bytes, SOON));
		is_soon(begin);
	}
}

/* A block that is to grow is in its own way: it must fit behind its start or in front. */
TEST(heap_what_can_never_grow_is_refused_at_once)
{
	char *front = k_heap_alloc(&heap, 200, K_NO_WAIT);
	char *kept = k_heap_alloc(&heap, 40, K_NO_WAIT);
	char *behind = k_heap_alloc(&heap, 200, K_NO_WAIT);
	uint32_t begin = tick();

	CHECK(k_heap_realloc(&heap, kept, 400, SOON) == NULL);
	is_soon(begin);
	k_heap_free(&heap, front);
	begin = tick();
	CHECK(k_heap_realloc(&heap, kept, 400, SOON) == NULL);
	is_soon(begin);
	CHECK(k_heap_realloc(&heap, kept, 280, SOON) == NULL); /* behind might come back */
	CHECK(tick() - begin >= 3);
	k_heap_free(&heap, behind);
	CHECK(k_heap_realloc(&heap, kept, 280, K_NO_WAIT) == kept);
	k_heap_free(&heap, kept);
}

TEST(slab_gives_blocks_that_do_not_overlap)
{
	char *blocks[BLOCKS];
	void *none = &slab;

	for (int i = 0; i < BLOCKS; i++) {
		CHECK_EQ(k_mem_slab_alloc(&slab, (void **)&blocks[i], K_NO_WAIT), 0);
		__builtin_memset(blocks[i], 'a' + i, 20);
	}
	CHECK_EQ(k_mem_slab_alloc(&slab, &none, K_NO_WAIT), -ENOMEM);
	CHECK(none == NULL);
	CHECK_EQ(k_mem_slab_num_used_get(&slab), BLOCKS);
	CHECK_EQ(k_mem_slab_num_free_get(&slab), 0);
	for (int i = 0; i < BLOCKS; i++) {
		CHECK(blocks[i][0] == 'a' + i && blocks[i][19] == 'a' + i);
		k_mem_slab_free(&slab, blocks[i]);
	}
	CHECK_EQ(k_mem_slab_num_used_get(&slab), 0);
	CHECK_EQ(k_mem_slab_max_used_get(&slab), BLOCKS);
}

TEST(slab_init_refuses_what_cannot_be)
{
	static uintptr_t buffer[8];
	static struct k_mem_slab s;

	CHECK_EQ(k_mem_slab_init(&s, buffer, 0, 4), -EINVAL);
	CHECK_EQ(k_mem_slab_init(&s, buffer, 5, 4), -EINVAL);
	CHECK_EQ(k_mem_slab_init(&s, (char *)buffer + 1, 8, 4), -EINVAL);
	CHECK_EQ(k_mem_slab_init(&s, buffer, sizeof(uintptr_t), 8), 0);
}

TEST(slab_waiters_by_priority_then_first_come)
{
	void *blocks[BLOCKS];
	uint32_t begin;

	for (int i = 0; i < BLOCKS; i++) {
		(void)k_mem_slab_alloc(&slab, &blocks[i], K_NO_WAIT);
	}
	next_tick();
	begin = tick();
	CHECK_EQ(k_mem_slab_alloc(&slab, &got, K_TICKS(2)), -EAGAIN);
	CHECK_EQ(tick() - begin, 3);
	start(slab_alloc_and_note, "a", 5);
	start(slab_alloc_and_note, "b", 4);
	start(slab_alloc_and_note, "c", 5);
	k_mem_slab_free(&slab, blocks[0]);
	CHECK_NOTES("bac");
	CHECK(got == blocks[0]);
	k_mem_slab_free(&slab, blocks[1]);
	k_mem_slab_free(&slab, blocks[2]);
}

TEST(slab_tells_what_is_taken_of_it)
{
	static char two_blocks[64] __aligned(8);
	static struct k_mem_slab own;
	struct sys_memory_stats stats;
	void *block;

	CHECK_EQ(k_mem_slab_init(&own, two_blocks, 32, 2), 0);
	CHECK_EQ(k_mem_slab_alloc(&own, &block, K_NO_WAIT), 0);
	CHECK_EQ(k_mem_slab_runtime_stats_get(&own, &stats), 0);
	CHECK(stats.allocated_bytes == 32 && stats.free_bytes == 32);
	CHECK_EQ(stats.max_allocated_bytes, 32);
	k_mem_slab_free(&own, block);
	CHECK_EQ(k_mem_slab_runtime_stats_get(&own, &stats), 0);
	CHECK(stats.allocated_bytes == 0 && stats.max_allocated_bytes == 32);
	CHECK_EQ(k_mem_slab_runtime_stats_reset_max(&own), 0);
	CHECK_EQ(k_mem_slab_runtime_stats_get(&own, &stats), 0);
	CHECK_EQ(stats.max_allocated_bytes, 0);
	CHECK_EQ(k_mem_slab_runtime_stats_get(NULL, &stats), -EINVAL);
	CHECK_EQ(k_mem_slab_runtime_stats_get(&own, NULL), -EINVAL);
	CHECK_EQ(k_mem_slab_runtime_stats_reset_max(NULL), -EINVAL);
}
