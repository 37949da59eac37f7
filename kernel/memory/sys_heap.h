/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The allocator behind k_malloc() and k_heap_alloc(): pure, no locks, no kernel calls,
 * so that it is also an ordinary host program's (tests/host/heap_model.c).
 *
 * Every operation takes constant time, and free neighbours merge at once. Memory is a
 * row of blocks, and an address of a block is always that of its contents; its header,
 * one word of size and flags, lies in the word in front:
 *
 *   start                                                       top          end
 *   [h used][h used][h free ... f][h used][ victim ][h used][h ...][ untouched ]
 *
 *  - A free block is in the list of its size class, and repeats its size in its last
 *    word (f) for the block behind it, whose header says that there is one to find.
 *  - Two free ranges are in no list and have no tags; the heap structure alone knows
 *    their ends: what is behind the last block (dlmalloc's top, also called the
 *    wilderness), and the one merged or left over last (dlmalloc's designated victim).
 *    Taking from their front and merging with them is moving a pointer.
 *
 * The fast paths are inline here and search nothing: a small block comes from the list
 * of just its size, or from the top; it goes into the top, into the victim or into its
 * list. Anything else, which is merging with listed blocks and splitting them, is
 * sys_heap.c's, in constant time as well.
 *
 * Rejected: a buddy system (up to half of each block wasted); two-level segregated
 * lists for everything (TLSF: each release pays for finding its list, even if the next
 * merges the block away again, and a core without count-leading-zeros pays dearly);
 * Zephyr's power-of-two buckets (fill 2 to 6 per cent less of the heap, see LOOKS in
 * sys_heap.c).
 */
#ifndef FOLIOT_KERNEL_SYS_HEAP_H
#define FOLIOT_KERNEL_SYS_HEAP_H

#include <foliot/util.h>
#include <foliot/assert.h>
#include <foliot/heap.h>
#include <zephyr/sys/sys_heap.h>
#include "kernel/memory/poison.h"

/* What a listed block holds. */
struct heap_free {
	struct heap_free *next;
	struct heap_free **link; /* what points to this block */
};

/* Flags in a header; sizes are multiples of HEAP_UNIT. Of a used block at most the last. */
#define HEAP_FREE      ((size_t)1) /* this block is in a list */
#define HEAP_FREED     ((size_t)2) /* debug builds: was given back, seen if it is again */
#define HEAP_PREV_FREE ((size_t)4) /* the block in front is in a list */
#define HEAP_FLAGS     ((size_t)7)

#define HEAP_HEADER    sizeof(size_t)
#define HEAP_BLOCK_MIN (2 * HEAP_UNIT) /* header, two links, size repeated */

/* Requests beyond this are refused, so that no sum of sizes overflows. */
#define HEAP_BYTES_MAX (SIZE_MAX / 8)

/*
 * Size classes. Up to HEAP_EXACT one for each multiple of HEAP_UNIT, from the smallest
 * block on; from there two for each power of two. The last holds all that is larger.
 */
#define HEAP_EXACT      14U
#define HEAP_EXACT_END  (HEAP_BLOCK_MIN + HEAP_EXACT * HEAP_UNIT) /* the first size beyond */
#define HEAP_CLASS_LAST (HEAP_CLASSES - 1U)

/* In sys_heap.classes, beside a bit for each class: the victim is not empty. */
#define HEAP_VICTIM ((size_t)1 << HEAP_CLASSES)

/* The fewest bytes that round up to the smallest block; it is given for fewer as well. */
#define HEAP_BYTES_FAST (HEAP_BLOCK_MIN - HEAP_HEADER - HEAP_UNIT + 1U)

/* Give `block` back; not NULL, which sys_heap_free() allows. */
void heap_release(struct sys_heap *heap, void *block);

/* Make `block` hold `bytes` bytes (not 0) where it is. False, and nothing done: no room. */
bool sys_heap_resize(struct sys_heap *heap, void *block, size_t bytes);

/*
 * Could sys_heap_aligned_alloc() serve this if all else were given back? With a `block` that
 * stays (or NULL), sys_heap_resize() of it, too; then `align` must be 0. Exact.
 */
bool sys_heap_can_ever(const struct sys_heap *heap, const void *block, size_t align, size_t bytes);

/* The bytes that `block` can hold, at least those asked for. */
size_t heap_usable_size(const void *block);

static inline size_t *heap_header(const char *block)
{
	return (size_t *)(uintptr_t)block - 1;
}

#ifdef CONFIG_ASSERT
/* Is `block` one that was handed out, its tags and its neighbours' as they must be? */
void heap_check_used(const struct sys_heap *heap, const char *block);
#else
static inline void heap_check_used(const struct sys_heap *heap, const char *block)
{
	(void)heap;
	(void)block;
}
#endif

/*
 * The block of `size` bytes is nobody's: where that is looked at, so that each later use of it is
 * seen.
 */
ARCH_OWNS_FREE_BLOCKS
static inline void heap_mark_freed(char *block, size_t size)
{
	if (IS_ENABLED(CONFIG_ASSERT)) {
		*heap_header(block) |= HEAP_FREED;
	}
	arch_block_freed(block, size - HEAP_HEADER);
}

static inline struct heap_free *heap_links(char *block)
{
	return (struct heap_free *)(void *)block;
}

/* The word before the header at `next`, in which a listed block repeats its size. */
static inline size_t *heap_footer(char *next)
{
	return (size_t *)(void *)next - 2;
}

/* Put the free block of `size` bytes, which touches no other, into the list of `size_class`. */
ARCH_OWNS_FREE_BLOCKS
static inline void heap_list_add(struct sys_heap *heap, char *block, size_t size, size_t size_class)
{
	struct heap_free **list = &heap->list[size_class];
	struct heap_free *first = *list;

	*heap_header(block) = size | HEAP_FREE;
	*heap_footer(block + size) = size;
	*heap_header(block + size) |= HEAP_PREV_FREE;
	heap_links(block)->next = first;
	heap_links(block)->link = list;
	*list = heap_links(block);
	if (first != NULL) {
		first->link = &heap_links(block)->next;
	} else {
		heap->classes |= (size_t)1 << size_class;
	}
}

/* There is none. The range from `block` to `next`, which touches no other, becomes it. */
/*@ requires \valid(heap);
  @ assigns heap->victim, heap->victim_end, heap->classes;
  @ ensures heap->victim == block && heap->victim_end == next;
  @ ensures (heap->classes & HEAP_VICTIM) != 0;
  @ ensures (heap->classes & (HEAP_VICTIM - 1)) == (\old(heap->classes) & (HEAP_VICTIM - 1));
  @*/
static inline void heap_set_victim(struct sys_heap *heap, char *block, char *next)
{
	heap->victim = block;
	heap->victim_end = next;
	heap->classes |= HEAP_VICTIM;
}

/*
 * The common allocations: small, and the list of its size has a block; or no list and
 * not the victim has any that will do, so it comes from the top. NULL: ask
 * sys_heap_alloc(), nothing was done.
 */
ARCH_OWNS_FREE_BLOCKS
static inline void *heap_alloc_fast(struct sys_heap *heap, size_t bytes)
{
	size_t over = bytes - HEAP_BYTES_FAST; /* fewer bytes become very many */
	size_t size_class = over / HEAP_UNIT;
	size_t size = (over & ~(HEAP_UNIT - 1U)) + HEAP_BLOCK_MIN;
	char *block = heap->top;
	size_t classes;

	if (unlikely(over >= HEAP_EXACT * HEAP_UNIT)) {
		return NULL;
	}
	classes = heap->classes >> size_class;
	if (classes != 0) {
		struct heap_free *next;

		if (unlikely((classes & 1U) == 0)) {
			return NULL;
		}
		block = (char *)heap->list[size_class];
		next = heap_links(block)->next;
		heap->list[size_class] = next;
		if (next != NULL) {
			next->link = &heap->list[size_class];
		} else {
			heap->classes &= ~((size_t)1 << size_class);
		}
		*heap_header(block + size) &= ~HEAP_PREV_FREE;
		*heap_header(block) = size;
		arch_block_taken(block, size - HEAP_HEADER);
		return block;
	}
	if (unlikely(size > (size_t)(heap->end - block))) {
		return NULL;
	}
	heap->top = block + size;
	*heap_header(block) = size;
	arch_block_taken(block, size - HEAP_HEADER);
	return block;
}

/*
 * The common releases: beside the top or the victim, and nothing else to merge with; or
 * small, with nothing at all to merge with, while there is a victim that stays.
 * False: call heap_release(), nothing was done.
 */
ARCH_OWNS_FREE_BLOCKS
static inline bool heap_free_fast(struct sys_heap *heap, char *block)
{
	size_t header;
	char *next;

	heap_check_used(heap, block);
	header = *heap_header(block);
	next = block + header;
	if (unlikely((header & HEAP_PREV_FREE) != 0)) {
		return false;
	}
	if (next == heap->top) {
		if (unlikely(block == heap->victim_end)) {
			return false;
		}
		heap_mark_freed(block, header);
		heap->top = block;
		return true;
	}
	if (block == heap->victim_end) {
		if (unlikely((*heap_header(next) & HEAP_FREE) != 0)) {
			return false;
		}
		heap_mark_freed(block, header);
		heap->victim_end = next;
		return true;
	}
	if (next == heap->victim) {
		heap_mark_freed(block, header);
		heap->victim = block;
		return true;
	}
	if (unlikely((*heap_header(next) & HEAP_FREE) != 0)) {
		return false;
	}
	if (heap->victim == NULL) {
		heap_mark_freed(block, header);
		heap_set_victim(heap, block, next);
		return true;
	}
	if (header >= HEAP_EXACT_END) {
		return false;
	}
	heap_mark_freed(block, header);
	heap_list_add(heap, block, header, header / HEAP_UNIT - 2U);
	return true;
}

#endif /* FOLIOT_KERNEL_SYS_HEAP_H */
