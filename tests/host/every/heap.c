/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The heap's allocator: blocks of each of some sizes are taken, by the fast path and by the slow
 * one, aligned, made larger and smaller, and given back, in any order. Behind each operation
 * heap_model_traversal.c reads the whole heap; what is used stays as it was written; nothing is
 * refused that there is room for.
 *
 * Contents of a block, and what of a free range has no meaning, are always the same: so states that
 * are alike are one.
 */
#include <string.h>

#include "kernel/memory/sys_heap.h"
#include "tests/host/heap_model.h"
#include "tests/host/every/every.h"

#ifndef UNITS
#define UNITS 9
#endif
#ifndef SIZES
#define SIZES {2, 3, 4, 5, 6, 7, 8, 9}
#endif
#ifndef LIVE
#define LIVE 6
#endif
#ifndef ALIGNS
#define ALIGNS {2 * HEAP_UNIT}
#endif
#define USED  0xA5
#define LOOSE 0x5D /* as a header it would be a free block's behind a free block */

static const unsigned char sizes[] = SIZES; /* of blocks, in units */
static const size_t aligns[] = ALIGNS;
#define NUM_SIZES  (int)ARRAY_SIZE(sizes)
#define NUM_ALIGNS (int)ARRAY_SIZE(aligns)

static struct sys_heap heap;
static char memory[(UNITS + 1) * HEAP_UNIT] __aligned(4096);

static struct {
	int number; /* by address */
	char *blocks[LIVE];
} live;

enum { TAKE, TAKE_SLOWLY, GIVE, GIVE_SLOWLY, RESIZE, ALIGNED };
#define OPERATIONS (2 * NUM_SIZES + 2 * LIVE + LIVE * NUM_SIZES + NUM_ALIGNS * NUM_SIZES)

struct operation {
	int how, block;
	size_t bytes, align;
};

static size_t bytes_of(int size)
{
	return sizes[size] * HEAP_UNIT - HEAP_HEADER;
}

static struct operation of_number(int number)
{
	if (number < 2 * NUM_SIZES) {
		return (struct operation){number < NUM_SIZES ? TAKE : TAKE_SLOWLY, 0,
					  bytes_of(number % NUM_SIZES), 0};
	}
	number -= 2 * NUM_SIZES;
	if (number < 2 * LIVE) {
		return (struct operation){number < LIVE ? GIVE : GIVE_SLOWLY, number % LIVE, 0, 0};
	}
	number -= 2 * LIVE;
	if (number < LIVE * NUM_SIZES) {
		return (struct operation){RESIZE, number % LIVE, bytes_of(number / LIVE), 0};
	}
	number -= LIVE * NUM_SIZES;
	return (struct operation){ALIGNED, 0, bytes_of(number / NUM_ALIGNS),
				  aligns[number % NUM_ALIGNS]};
}

static bool may(int number)
{
	const struct operation one = of_number(number);

	switch (one.how) {
	case GIVE:
	case GIVE_SLOWLY:
	case RESIZE:
		return one.block < live.number;
	default:
		return live.number < LIVE;
	}
}

static void fill(char *from, const char *to, int with)
{
	if (from < to) {
		memset(from, with, (size_t)(to - from));
	}
}

static void used_block(const char *block, size_t size, void *next)
{
	int *at = next;

	check(*at < live.number && live.blocks[*at] == block, "a used block is one that was taken");
	fill(live.blocks[(*at)++], block + size - HEAP_HEADER, USED);
}

/* Reads the whole heap, and writes into what is nobody's, and into what is a user's. */
static void look(void)
{
	int next = 0;
	char *block;

	(void)heap_traversal(&heap, 1, used_block, &next);
	check(next == live.number, "each block that was taken is there");
	for (size_t i = 0; i < HEAP_CLASSES; i++) {
		for (struct heap_free *one = heap.list[i]; one != NULL; one = one->next) {
			block = (char *)one;
			fill(block + sizeof(*one),
			     block - HEAP_HEADER + (*heap_header(block) & ~HEAP_FLAGS) -
				     HEAP_HEADER,
			     LOOSE);
		}
	}
	if (heap.victim != NULL) {
		fill(heap.victim - HEAP_HEADER, heap.victim_end - HEAP_HEADER, LOOSE);
	}
	fill(heap.top - HEAP_HEADER, memory + sizeof(memory), LOOSE);
}

static void is_as_written(const char *block, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		check(block[i] == (char)USED, "contents");
	}
}

static void model_add(char *block)
{
	int at = live.number++;

	for (; at > 0 && live.blocks[at - 1] > block; at--) {
		live.blocks[at] = live.blocks[at - 1];
	}
	live.blocks[at] = block;
}

static void model_remove(int at)
{
	live.number--;
	for (; at < live.number; at++) {
		live.blocks[at] = live.blocks[at + 1];
	}
	live.blocks[live.number] = NULL;
}

static void take(const struct operation *one)
{
	size_t size = one->bytes + HEAP_HEADER;
	size_t wanted = one->align == 0 ? size : size + one->align + HEAP_UNIT;
	struct heap_shape before = heap_traversal(&heap, wanted, NULL, NULL);
	size_t listed = before.largest[RANGE_LISTED];
	const char *top = heap.top;
	char *block = one->how == TAKE ? heap_alloc_fast(&heap, one->bytes) : NULL;

	if (block == NULL) {
		block = one->how == ALIGNED ? sys_heap_aligned_alloc(&heap, one->align, one->bytes)
					    : sys_heap_alloc(&heap, one->bytes);
	}
	if (block == NULL) {
		/* Of a class that is a range one that fits may be overlooked. */
		check(before.largest[RANGE_TOP] < wanted && before.largest[RANGE_VICTIM] < wanted &&
			      (listed < wanted ||
			       (heap_traversal_class(wanted) >= HEAP_EXACT &&
				heap_traversal_class(listed) == heap_traversal_class(wanted))),
		      "refused although there is room");
		return;
	}
	check((uintptr_t)block % MAX(one->align, HEAP_UNIT) == 0, "alignment");
	check(heap_usable_size(block) >= one->bytes, "as large as it was asked for");
	check(heap_usable_size(block) < one->bytes + HEAP_BLOCK_MIN,
	      "what is left over is split off");
	check(block != top || before.least_fit[RANGE_VICTIM] == 0,
	      "taken from the top although the victim has room");
	model_add(block);
}

static void resize(const struct operation *one)
{
	char *block = live.blocks[one->block];
	size_t was = heap_usable_size(block);
	bool done = sys_heap_resize(&heap, block, one->bytes);

	check(done || one->bytes > was, "to make it smaller was refused");
	check(heap_usable_size(block) >= (done ? one->bytes : was), "what it says it can hold");
	check(done ? heap_usable_size(block) < one->bytes + HEAP_BLOCK_MIN
		   : heap_usable_size(block) == was,
	      "what is left over is split off; what is refused is left alone");
	is_as_written(block, MIN(was, heap_usable_size(block)));
}

static void apply(int number)
{
	const struct operation one = of_number(number);
	char *block = live.blocks[one.block];
	int others = live.number;
	char *was[LIVE];
	size_t held[LIVE];

	for (int i = 0; i < others; i++) {
		was[i] = live.blocks[i];
		held[i] = heap_usable_size(was[i]);
	}
	switch (one.how) {
	case GIVE:
	case GIVE_SLOWLY:
		model_remove(one.block);
		if (one.how == GIVE_SLOWLY || !heap_free_fast(&heap, block)) {
			heap_release(&heap, block);
		}
		break;
	case RESIZE:
		resize(&one);
		break;
	default:
		take(&one);
		break;
	}
	for (int i = 0; i < others; i++) {
		if (one.how < GIVE || one.how == ALIGNED || was[i] != block) {
			is_as_written(was[i], held[i]);
		}
	}
	look();
}

static void show(int number, FILE *out)
{
	static const char *const names[] = {"take",        "take slowly", "give back",
					    "give slowly", "resize",      "take aligned"};
	const struct operation one = of_number(number);

	fprintf(out, "%s: block %d, %zu bytes, aligned %zu", names[one.how], one.block, one.bytes,
		one.align);
}

int main(int argc, char **argv)
{
	static struct every every = {"heap", {{0}}, 0, 0, may, apply, show};

	every.num_operations = OPERATIONS;
	every_part(&every, &heap, sizeof(heap));
	every_part(&every, memory, sizeof(memory));
	every_part(&every, &live, sizeof(live));
	sys_heap_init(&heap, memory + HEAP_HEADER, sizeof(memory) - HEAP_HEADER);
	look();
	return every_sequence(&every, every_depth(argc, argv));
}
