/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The heap's allocator against a model: random operations, an integrity walk after each.
 *
 * kernel/memory/sys_heap.c is pure, so this is an ordinary program of the machine it runs on,
 * under AddressSanitizer and UndefinedBehaviorSanitizer (test_heap_model.py builds and
 * runs it, with and without the debug checks). The model knows which blocks are out and
 * what is in them. After each step: blocks neither overlap nor leave the heap, contents
 * are as written, every header and list is right, free neighbours have merged; NULL came
 * only where nothing fitted, and what was taken was a good fit. After each campaign all
 * is given back and the heap must be in one piece.
 *
 *   heap_model [FIRST_SEED [CAMPAIGNS [STEPS]]]     same arguments, same steps
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "heap_model.h"

#define MAX_LIVE 600U

struct live {
	char *block;
	size_t bytes;
	unsigned char mark; /* contents: mark, mark + 1, ... */
};

/* How the requests of a campaign are distributed. */
struct mix {
	size_t heap_bytes;
	size_t small_bytes, large_bytes;
	unsigned int large_percent;
	unsigned int target_live;
};

static struct {
	struct sys_heap heap;
	struct live live[MAX_LIVE];
	unsigned int num_live;
	uint64_t random;
	unsigned long seed, step;
	unsigned long refused, served;
} model;

void fail(const char *rule)
{
	fprintf(stderr, "heap_model: broken: %s (seed %lu, step %lu)\n", rule, model.seed,
		model.step);
	exit(1);
}

/* xorshift64*: the same everywhere, unlike rand(). */
static uint32_t random_below(size_t n)
{
	model.random ^= model.random >> 12;
	model.random ^= model.random << 25;
	model.random ^= model.random >> 27;
	return (uint32_t)((model.random * 0x2545F4914F6CDD1DULL) >> 33) % (uint32_t)n;
}

static bool chance(unsigned int percent)
{
	return random_below(100) < percent;
}

static size_t block_size(size_t bytes)
{
	size_t size = ROUND_UP(bytes + HEAP_HEADER, HEAP_UNIT);

	return MAX(size, HEAP_BLOCK_MIN);
}

static void fill(const struct live *live)
{
	for (size_t i = 0; i < live->bytes; i++) {
		live->block[i] = (char)(live->mark + i);
	}
}

static void check_contents(const struct live *live, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		check(live->block[i] == (char)(live->mark + i), "contents");
	}
}

static int by_address(const void *a, const void *b)
{
	const struct live *x = a;
	const struct live *y = b;

	return (x->block > y->block) - (x->block < y->block);
}

/* The traversal meets exactly the model's blocks, each large enough, and none much larger. */
static void used_block(const char *block, size_t size, void *arg)
{
	const struct live **expected = arg;
	const struct live *live = (*expected)++;

	check(live < model.live + model.num_live && live->block == block, "used block is known");
	check(size >= live->bytes + HEAP_HEADER, "used block is large enough");
	check(size < block_size(live->bytes) + HEAP_BLOCK_MIN, "what was left over was split off");
	check(heap_usable_size(block) == size - HEAP_HEADER, "usable size");
}

static struct heap_shape walk(size_t wanted)
{
	const struct live *expected = model.live;
	struct heap_shape shape;

	qsort(model.live, model.num_live, sizeof(model.live[0]), by_address);
	shape = heap_traversal(&model.heap, wanted, used_block, &expected);
	check(shape.used_blocks == model.num_live, "every used block was met");
	return shape;
}

/* Nothing fitted: or only a listed block of the very class, which may be overlooked. */
static void check_refusal(const struct heap_shape *before, size_t size)
{
	size_t listed = before->largest[RANGE_LISTED];

	check(before->largest[RANGE_TOP] < size, "refused although the top had room");
	check(before->largest[RANGE_VICTIM] < size, "refused although the victim had room");
	check(listed < size || (heap_traversal_class(size) >= HEAP_EXACT &&
				heap_traversal_class(listed) == heap_traversal_class(size)),
	      "refused although a listed block had room");
}

/* Good fit: no larger class than necessary, the top last. */
static void check_fit(const struct heap_shape *before, size_t size, const char *block,
		      const char *top, const char *victim)
{
	size_t listed = before->least_fit[RANGE_LISTED];
	size_t loose = before->least_fit[RANGE_VICTIM];
	unsigned int size_class = heap_traversal_class(size);
	bool sure = listed != 0 &&
		    (size_class < HEAP_EXACT || heap_traversal_class(listed) > size_class);

	if (block == top) {
		check(!sure && loose == 0, "took the top although something else fitted");
	} else if (block == victim) {
		check(!sure || heap_traversal_class(loose) <= heap_traversal_class(listed),
		      "took the victim although a smaller block fitted");
	} else if (loose != 0) {
		check(listed != 0 && heap_traversal_class(listed) <= heap_traversal_class(loose),
		      "took a block although the victim was smaller");
	}
}

static void allocate(const struct mix *mix)
{
	size_t limit = chance(mix->large_percent) ? mix->large_bytes : mix->small_bytes;
	size_t bytes = 1 + random_below(limit);
	size_t align = chance(10) ? (size_t)1 << random_below(11) : 0;
	bool plain = align <= HEAP_UNIT;
	size_t size = plain ? block_size(bytes) : block_size(bytes) + align + HEAP_UNIT;
	struct heap_shape before = walk(size);
	const char *top = model.heap.top;
	const char *victim = model.heap.victim;
	struct live *live = &model.live[model.num_live];

	live->bytes = bytes;
	live->mark = (unsigned char)random_below(256);
	live->block = align == 0 ? heap_alloc_fast(&model.heap, bytes) : NULL;
	if (live->block == NULL) {
		live->block = align == 0 ? sys_heap_alloc(&model.heap, bytes)
					 : sys_heap_aligned_alloc(&model.heap, align, bytes);
	}
	if (live->block == NULL) {
		check_refusal(&before, size);
		model.refused++;
		return;
	}
	check((uintptr_t)live->block % MAX(align, HEAP_UNIT) == 0, "alignment");
	if (plain) {
		check_fit(&before, size, live->block, top, victim);
	}
	fill(live);
	model.num_live++;
	model.served++;
}

static void release(void)
{
	struct live *live = &model.live[random_below(model.num_live)];

	check_contents(live, live->bytes);
	if (chance(10) || !heap_free_fast(&model.heap, live->block)) {
		heap_release(&model.heap, live->block);
	}
	*live = model.live[--model.num_live];
}

static void resize(const struct mix *mix)
{
	struct live *live = &model.live[random_below(model.num_live)];
	size_t bytes = 1 + random_below(chance(50) ? 2 * live->bytes : mix->large_bytes);
	size_t usable = heap_usable_size(live->block);

	if (!sys_heap_resize(&model.heap, live->block, bytes)) {
		check(bytes > usable, "shrinking in place refused");
		check(heap_usable_size(live->block) == usable, "refused, yet changed");
		return;
	}
	check_contents(live, MIN(bytes, live->bytes));
	live->bytes = bytes;
	fill(live);
}

static void step(const struct mix *mix)
{
	unsigned int growth = model.num_live < mix->target_live ? 60 : 40;

	if (model.num_live == 0 || (model.num_live < MAX_LIVE && chance(growth))) {
		allocate(mix);
	} else if (chance(20)) {
		resize(mix);
	} else {
		release();
	}
	(void)walk(1);
}

/* Requests that no heap can meet, sums that overflow among them. */
static void check_impossible(void)
{
	static const size_t bytes[] = {0,
				       SIZE_MAX,
				       SIZE_MAX - 1,
				       SIZE_MAX - HEAP_HEADER,
				       SIZE_MAX - HEAP_UNIT,
				       SIZE_MAX / 2,
				       HEAP_BYTES_MAX,
				       HEAP_BYTES_MAX + 1,
				       1U << 30};

	for (unsigned int i = 0; i < ARRAY_SIZE(bytes); i++) {
		check(heap_alloc_fast(&model.heap, bytes[i]) == NULL, "impossible, fast");
		check(sys_heap_alloc(&model.heap, bytes[i]) == NULL, "impossible");
		check(sys_heap_aligned_alloc(&model.heap, 64, bytes[i]) == NULL,
		      "impossible, aligned");
	}
	for (size_t align = 5; align < 8; align++) {
		check(sys_heap_aligned_alloc(&model.heap, align, 8) == NULL, "alignment of 5 to 7");
	}
	check(sys_heap_aligned_alloc(&model.heap, 3, 8) == NULL, "alignment of 3");
	check(sys_heap_aligned_alloc(&model.heap, 24, 8) == NULL, "alignment of 24");
	check(sys_heap_aligned_alloc(&model.heap, SIZE_MAX / 2 + 1, 8) == NULL, "huge alignment");
}

/* Of an empty heap: is what can ever be had exactly what can be had now? */
static void check_can_ever(void)
{
	size_t room = (size_t)(model.heap.end - model.heap.start);

	for (size_t align = 0; align <= 4096; align = align == 0 ? 1 : 2 * align) {
		size_t first = room > align + 64 ? room - align - 64 : 0;

		for (size_t bytes = first; bytes <= room + 8; bytes++) {
			char *block = sys_heap_aligned_alloc(&model.heap, align, bytes);

			check(sys_heap_can_ever(&model.heap, NULL, align, bytes) == (block != NULL),
			      "what can ever be had");
			if (block != NULL) {
				heap_release(&model.heap, block);
			}
		}
	}
	check(!sys_heap_can_ever(&model.heap, NULL, 3, 1), "alignment of 3");
	check(!sys_heap_can_ever(&model.heap, NULL, 6, 1), "alignment of 6");
}

/* And of one that holds a single block, `front` bytes from its start, which is to grow. */
static void check_can_ever_grow(size_t front)
{
	size_t room = (size_t)(model.heap.end - model.heap.start);
	char *gone = sys_heap_alloc(&model.heap, front);
	char *kept = sys_heap_alloc(&model.heap, 8);

	if (gone != NULL) {
		heap_release(&model.heap, gone);
	}
	for (size_t bytes = 8; kept != NULL && bytes <= room + 8; bytes += 1 + bytes / 256) {
		bool ever = sys_heap_can_ever(&model.heap, kept, 0, bytes);
		char *block = NULL;

		if (sys_heap_resize(&model.heap, kept, bytes)) {
			check(ever, "what can ever be had by growing in place");
			(void)sys_heap_resize(&model.heap, kept, 8);
			continue;
		}
		block = sys_heap_alloc(&model.heap, bytes);
		check(ever == (block != NULL), "what can ever be had by moving");
		if (block != NULL) {
			heap_release(&model.heap, block);
		}
	}
	if (kept != NULL) {
		heap_release(&model.heap, kept);
	}
}

/* Fill with blocks of one size: nothing may be lost, all must come back. */
static void exhaust(size_t bytes)
{
	size_t room = (size_t)(model.heap.end - model.heap.start);
	size_t served = 0;
	char *last = NULL;
	char *block;

	while ((block = sys_heap_alloc(&model.heap, bytes)) != NULL) {
		memcpy(block, &last, MIN(sizeof(last), bytes));
		last = bytes < sizeof(last) ? NULL : block;
		served++;
	}
	check(served == room / block_size(bytes), "exhaustion leaves nothing unused");
	while (last != NULL) {
		block = last;
		memcpy(&last, block, sizeof(last));
		heap_release(&model.heap, block);
		served--;
	}
	check(bytes < sizeof(last) || served == 0, "all exhausted memory given back");
}

static void campaign(const struct mix *mix, unsigned long steps)
{
	size_t offset = random_below(2 * HEAP_UNIT);
	void *aligned = NULL;
	char *memory;
	char *start;

	/* Where alignments fall decides what happens: the same address, modulo the largest. */
	check(posix_memalign(&aligned, 2048, mix->heap_bytes + offset) == 0, "memory for the test");
	memory = aligned;
	sys_heap_init(&model.heap, memory + offset, mix->heap_bytes);
	start = model.heap.start;
	check(model.heap.top == start, "a new heap is in one piece");
	check((size_t)(model.heap.end - start) + 2 * HEAP_UNIT > mix->heap_bytes ||
		      model.heap.end == start,
	      "a new heap is as large as it can be");
	for (model.step = 0; model.step < steps; model.step++) {
		step(mix);
	}
	check_impossible();
	while (model.num_live > 0) {
		release();
		(void)walk(1);
	}
	check(model.heap.top == start && model.heap.classes == 0,
	      "all given back, not in one piece");
	check_can_ever();
	check_can_ever_grow(mix->heap_bytes / 4);
	check_can_ever_grow(3 * (mix->heap_bytes / 4));
	exhaust(1 + random_below(100));
	free(memory);
}

int main(int argc, char **argv)
{
	static const struct mix mixes[] = {
		{256, 24, 100, 10, 8},
		{2048, 40, 300, 10, 40},
		{16384, 100, 1500, 8, 180},
		{65536, 200, 9000, 6, 300},
		{1048576, 900, 60000, 20, 60},
		{40, 8, 30, 20, 1},
		{7, 8, 8, 0, 1},
	};
	unsigned long first = argc > 1 ? strtoul(argv[1], NULL, 0) : 1;
	unsigned long campaigns = argc > 2 ? strtoul(argv[2], NULL, 0) : 35;
	unsigned long steps = argc > 3 ? strtoul(argv[3], NULL, 0) : 3000;

	for (model.seed = first; model.seed < first + campaigns; model.seed++) {
		model.random = model.seed * 0x9E3779B97F4A7C15ULL + 1;
		campaign(&mixes[model.seed % ARRAY_SIZE(mixes)], steps);
	}
	heap_abuse();
	printf("heap_model: %lu campaigns of %lu steps: %lu requests served, %lu refused, all rules "
	       "held\n",
	       campaigns, steps, model.served, model.refused);
	return 0;
}
