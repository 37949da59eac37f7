/* SPDX-License-Identifier: Apache-2.0 */
/* The integrity walk: reads the heap's memory as a stranger would, trusting nothing. */
#include "heap_model.h"

unsigned int heap_traversal_class(size_t size)
{
	unsigned int size_class = 0;

	for (size_t limit = HEAP_BLOCK_MIN + HEAP_UNIT; size >= limit; size_class++) {
		size_t next = limit + HEAP_UNIT;

		if (size_class + 1 >= HEAP_EXACT) { /* in turn 3/2 and 4/3 of the one before */
			next = (size_class + 1 - HEAP_EXACT) % 2 == 0 ? limit / 2 * 3
								      : limit / 3 * 4;
		}
		limit = next;
		if (size_class == HEAP_CLASS_LAST) {
			break;
		}
	}
	return size_class;
}

/* The lists: links, sizes, bits. Returns how many blocks are in them. */
static size_t traverse_lists(const struct sys_heap *heap)
{
	size_t count = 0;

	for (unsigned int size_class = 0; size_class < HEAP_CLASSES; size_class++) {
		struct heap_free *const *link = &heap->list[size_class];

		check((*link != NULL) == ((heap->classes >> size_class & 1U) != 0), "class bit");
		for (const struct heap_free *free = *link; free != NULL; free = free->next) {
			const char *block = (const char *)free;
			size_t header = *heap_header(block);

			check(free->link == link, "list link");
			check(block >= heap->start && block < heap->top,
			      "listed block in the heap");
			check((header & HEAP_FLAGS) == HEAP_FREE, "listed block's flags");
			check(heap_traversal_class(header & ~HEAP_FLAGS) == size_class,
			      "listed block's class");
			link = &free->next;
			count++;
		}
	}
	return count;
}

static void add_range(struct heap_shape *shape, enum range_kind kind, size_t size, size_t wanted)
{
	size_t *least = &shape->least_fit[kind];

	if (size > shape->largest[kind]) {
		shape->largest[kind] = size;
	}
	if (size >= wanted && (*least == 0 || size < *least)) {
		*least = size;
	}
}

static void check_ends(const struct sys_heap *heap)
{
	check(heap->start <= heap->top && heap->top <= heap->end, "order of start, top, end");
	check((uintptr_t)heap->start % HEAP_UNIT == 0 && (uintptr_t)heap->end % HEAP_UNIT == 0,
	      "alignment of start and end");
	check((heap->victim != NULL) == ((heap->classes & HEAP_VICTIM) != 0), "victim bit");
	check((heap->victim != NULL) == (heap->victim_end != NULL), "victim's ends");
	if (heap->victim != NULL) {
		check(heap->victim >= heap->start && heap->victim_end < heap->top &&
			      heap->victim + HEAP_BLOCK_MIN <= heap->victim_end,
		      "victim in the heap");
	}
}

struct heap_shape heap_traversal(const struct sys_heap *heap, size_t wanted,
				 void (*used)(const char *block, size_t size, void *arg), void *arg)
{
	struct heap_shape shape = {0};
	const char *block = heap->start;
	bool after_listed = false;
	bool after_free = false;
	size_t listed = 0;

	check_ends(heap);
	while (block < heap->top) {
		size_t header = *heap_header(block);
		size_t size = header & ~HEAP_FLAGS;

		if (block == heap->victim) {
			size = (size_t)(heap->victim_end - block);
			check(!after_free, "victim beside a free range");
			add_range(&shape, RANGE_VICTIM, size, wanted);
			after_free = true;
			after_listed = false;
			block += size;
			continue;
		}
		check(size >= HEAP_BLOCK_MIN && size % HEAP_UNIT == 0, "block size");
		check(size <= (size_t)(heap->top - block), "block ends in the heap");
		check(((header & HEAP_PREV_FREE) != 0) == after_listed,
		      "flag behind a listed block");
		after_listed = (header & HEAP_FREE) != 0;
		if (after_listed) {
			check(!after_free, "two free ranges side by side");
			check(((const size_t *)(const void *)(block + size))[-2] == size, "footer");
			add_range(&shape, RANGE_LISTED, size, wanted);
			listed++;
		} else {
			check((header & HEAP_FREED) == 0, "used block marked as freed");
			shape.used_blocks++;
			if (used != NULL) {
				used(block, size, arg);
			}
		}
		after_free = after_listed;
		block += size;
	}
	check(block == heap->top, "last block ends at the top");
	check(!after_free, "top beside a free range");
	add_range(&shape, RANGE_TOP, (size_t)(heap->end - heap->top), wanted);
	check(traverse_lists(heap) == listed, "every free block is in a list");
	return shape;
}
