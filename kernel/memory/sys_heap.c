/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The allocator's general paths; what it is and its fast paths are in sys_heap.h.
 *
 * Good fit: of the blocks in lists, one of the least class that has any that fits (of
 * its own class, which is a range, the first few are looked at); the victim, if that is
 * no larger; the top only when neither will do. A block is split when the rest can stand
 * by itself, and the rest becomes the victim if there is none.
 *
 * Invariants, tested after every step by tests/host/heap_model.c:
 *  1. listed blocks, victim and top never touch one another;
 *  2. HEAP_PREV_FREE is set behind a listed block and nowhere else;
 *  3. a bit of `classes` is set where the list is not empty, HEAP_VICTIM where the
 *     victim is not, and without a victim both its ends are NULL.
 */
#include "kernel/memory/sys_heap.h"
#include "lib/bits.h"

/*
 * How many blocks of a class that is a range are looked at: the bound of a search. With
 * four, a heap under pressure (five mixes of sizes, 20 seeds each) is filled to within
 * 1 to 4 per cent of what exact best fit achieves; more than four gain nothing, one
 * alone loses 1 to 2 per cent.
 */
#define LOOKS 4

BUILD_ASSERT(HEAP_UNIT > HEAP_FLAGS, "flags fit below a size");
BUILD_ASSERT(HEAP_BLOCK_MIN >= HEAP_HEADER + sizeof(struct heap_free) + sizeof(size_t),
	     "links and tags fit into the smallest block");

/*@ requires \valid_read((size_t *)block - 1);
  @ assigns \nothing;
  @ ensures \result % HEAP_UNIT == 0 && \result <= *((size_t *)block - 1) < \result + HEAP_UNIT;
  @*/
static size_t size_of(const char *block)
{
	return *heap_header(block) & ~HEAP_FLAGS;
}

/* The size of a block for `bytes`; 0 if there cannot be one. */
/*@ assigns \nothing;
  @ ensures bytes == 0 || bytes > HEAP_BYTES_MAX ==> \result == 0;
  @ ensures 0 < bytes <= HEAP_BYTES_MAX ==> \result >= HEAP_BLOCK_MIN &&
  @   \result % HEAP_UNIT == 0 && \result >= bytes + HEAP_HEADER;
  @ ensures 0 < bytes <= HEAP_BYTES_MAX && \result > HEAP_BLOCK_MIN ==>
  @   \result < bytes + HEAP_HEADER + HEAP_UNIT;
  @*/
static size_t size_for(size_t bytes)
{
	size_t size = (bytes + HEAP_HEADER + HEAP_UNIT - 1U) & ~(HEAP_UNIT - 1U);

	if (bytes - 1U >= HEAP_BYTES_MAX) {
		return 0;
	}
	return MAX(size, HEAP_BLOCK_MIN);
}

/*@ requires size >= HEAP_EXACT_END;
  @ assigns \nothing;
  @ ensures HEAP_EXACT <= \result < HEAP_CLASSES;
  @ ensures size < HEAP_EXACT_END * 3 / 2 ==> \result == HEAP_EXACT;
  @*/
static __noinline unsigned int class_of_large(size_t size)
{
	size_t units = size / HEAP_UNIT;
	unsigned int top_bit;
	unsigned int size_class;

	top_bit = 8U * sizeof(units) - 1U - (unsigned int)__builtin_clzl(units);
	size_class = HEAP_EXACT + 2U * (top_bit - 4U) +
		     (unsigned int)((units >> (top_bit - 1U)) & 1U);
	return MIN(size_class, HEAP_CLASS_LAST);
}

/* The small ones inline, since they are the many. */
/*@ requires size >= HEAP_BLOCK_MIN && size % HEAP_UNIT == 0;
  @ assigns \nothing;
  @ ensures \result < HEAP_CLASSES;
  @ ensures size < HEAP_EXACT_END ==> \result * HEAP_UNIT + HEAP_BLOCK_MIN == size;
  @ ensures size >= HEAP_EXACT_END ==> \result >= HEAP_EXACT;
  @ ensures HEAP_EXACT_END <= size < HEAP_EXACT_END * 3 / 2 ==> \result == HEAP_EXACT;
  @*/
static inline unsigned int class_of(size_t size)
{
	return likely(size < HEAP_EXACT_END) ? (unsigned int)(size / HEAP_UNIT) - 2U
					     : class_of_large(size);
}

/*@ predicate is_linked{L}(struct sys_heap *heap, struct heap_free *links) =
  @   \valid(heap) && \valid(links) && \valid(links->link) && *links->link == links &&
  @   (links->next != \null ==> \valid(links->next) && links->next->link == &links->next &&
  @     \separated(links->next, links->link, &heap->classes) && \separated(links->next, links)) &&
  @   \separated(links->link, links, &heap->classes);
  @*/
/*@ requires is_linked(heap, (struct heap_free *)(void *)block);
  @ requires \exists integer i; ((struct heap_free *)(void *)block)->link == &heap->list[0] + i;
  @ assigns *((struct heap_free *)(void *)block)->link, heap->classes,
  @   ((struct heap_free *)(void *)block)->next->link;
  @ ensures *\old(((struct heap_free *)(void *)block)->link) ==
  @   \old(((struct heap_free *)(void *)block)->next);
  @ ensures \old(((struct heap_free *)(void *)block)->next) != \null ==>
  @   heap->classes == \old(heap->classes) &&
  @   \old(((struct heap_free *)(void *)block)->next)->link ==
  @     \old(((struct heap_free *)(void *)block)->link);
  @ ensures \old(((struct heap_free *)(void *)block)->next) == \null ==> \forall integer i;
  @   \old(((struct heap_free *)(void *)block)->link) == &heap->list[0] + i &&
  @   0 <= i < HEAP_CLASSES ==>
  @     heap->classes == (\old(heap->classes) & (size_t)~(1 << i));
  @ ensures \old(((struct heap_free *)(void *)block)->next) == \null ==> \forall integer i;
  @   \old(((struct heap_free *)(void *)block)->link) == &heap->list[0] + i &&
  @   i == HEAP_CLASSES ==> heap->classes == \old(heap->classes);
  @*/
static inline void list_remove(struct sys_heap *heap, char *block)
{
	struct heap_free *links = heap_links(block);
	struct heap_free *next = links->next;
	struct heap_free **link = links->link;
	size_t size_class = (size_t)(link - heap->list);

	K_ASSERT(*link == links && (next == NULL || next->link == &links->next),
		 "heap-corrupt-list");
	*link = next;
	if (next != NULL) {
		next->link = link;
	} else if (size_class < HEAP_CLASSES) {
		heap->classes &= ~((size_t)1 << size_class);
	}
}

/*@ requires \valid(heap);
  @ assigns heap->victim, heap->victim_end, heap->classes;
  @ ensures heap->victim == \null && heap->victim_end == \null;
  @ ensures (heap->classes & HEAP_VICTIM) == 0;
  @ ensures (heap->classes & (HEAP_VICTIM - 1)) == (\old(heap->classes) & (HEAP_VICTIM - 1));
  @*/
static void clear_victim(struct sys_heap *heap)
{
	heap->victim = NULL;
	heap->victim_end = NULL;
	heap->classes &= ~HEAP_VICTIM;
}

static __noinline void put_in_list_large(struct sys_heap *heap, char *block, size_t size)
{
	heap_list_add(heap, block, size, class_of_large(size));
}

/*
 * Put the free range from `block` to `next`, which touches no other, into its list. What
 * ends with it saves no register for the large ones.
 */
static inline void put_in_list(struct sys_heap *heap, char *block, char *next)
{
	size_t size = (size_t)(next - block);

	if (unlikely(size >= HEAP_EXACT_END)) {
		put_in_list_large(heap, block, size);
		return;
	}
	heap_list_add(heap, block, size, size / HEAP_UNIT - 2U);
}

/* Take a free block out of its list; its tags hold no longer. Returns where it ends. */
static inline char *take_from_list(struct sys_heap *heap, char *block)
{
	char *next = block + size_of(block);

	list_remove(heap, block);
	*heap_header(next) &= ~HEAP_PREV_FREE;
	return next;
}

/*
 * Of the untagged range from `block` to `next`, keep what is needed up to `wanted` and
 * make the rest free again. Returns where the part to be used ends.
 */
static inline char *keep_front(struct sys_heap *heap, char *wanted, char *next)
{
	if ((size_t)(next - wanted) < HEAP_BLOCK_MIN) {
		return next;
	}
	if (heap->victim == NULL) {
		heap_set_victim(heap, wanted, next);
	} else {
		put_in_list(heap, wanted, next);
	}
	return wanted;
}

static inline unsigned int lowest_class(size_t classes)
{
	return sizeof(classes) == sizeof(uint32_t) ? lowest_bit((uint32_t)classes)
						   : (unsigned int)__builtin_ctzl(classes);
}

/* The listed block to take for `size`, or NULL. */
static char *find_listed(const struct sys_heap *heap, size_t size)
{
	unsigned int size_class = class_of(size);
	size_t classes = heap->classes & ~HEAP_VICTIM & (~(size_t)0 << size_class);

	if (size_class >= HEAP_EXACT) {
		struct heap_free *links = heap->list[size_class];

		/* Bound: LOOKS. */
		for (int looks = 0; looks < LOOKS && links != NULL; looks++) {
			if (size_of((char *)links) >= size) {
				return (char *)links;
			}
			links = links->next;
		}
		classes &= ~((size_t)1 << size_class);
	}
	return classes == 0 ? NULL : (char *)heap->list[lowest_class(classes)];
}

/* Take `size` bytes from the front of the victim, which has them. Returns where they end. */
/*@ requires \valid(heap) && heap->victim + size <= heap->victim_end;
  @ requires heap->victim + size != \null;
  @ requires \base_addr(heap->victim) == \base_addr(heap->victim_end);
  @ requires heap->victim_end - heap->victim <= INT32_MAX;
  @ assigns heap->victim, heap->victim_end, heap->classes;
  @ ensures \result == \old(heap->victim) + size || \result == \old(heap->victim_end);
  @ ensures \result == \old(heap->victim) + size && heap->victim != \null ==>
  @   heap->victim == \result && heap->victim_end == \old(heap->victim_end) &&
  @   heap->victim_end - heap->victim >= HEAP_BLOCK_MIN;
  @ ensures heap->victim == \null ==> \result == \old(heap->victim_end);
  @ ensures \old(heap->victim_end - heap->victim) - size >= HEAP_BLOCK_MIN <==>
  @   heap->victim != \null;
  @*/
static char *take_from_victim(struct sys_heap *heap, size_t size)
{
	char *wanted = heap->victim + size;
	char *next = heap->victim_end;

	if ((size_t)(next - wanted) >= HEAP_BLOCK_MIN) {
		heap->victim = wanted;
		return wanted;
	}
	clear_victim(heap);
	return next;
}

static char *alloc_size(struct sys_heap *heap, size_t size)
{
	char *block = find_listed(heap, size);
	size_t victim_size = (size_t)(heap->victim_end - heap->victim);
	char *next;

	if (victim_size >= size && (block == NULL || victim_size <= size_of(block))) {
		block = heap->victim;
		next = take_from_victim(heap, size);
	} else if (block != NULL) {
		next = keep_front(heap, block + size, take_from_list(heap, block));
	} else {
		block = heap->top;
		if ((size_t)(heap->end - block) < size) {
			return NULL;
		}
		next = block + size;
		heap->top = next;
	}
	*heap_header(block) = (size_t)(next - block);
	arch_block_taken(block, (size_t)(next - block) - HEAP_HEADER);
	return block;
}

void sys_heap_init(struct sys_heap *heap, void *mem, size_t bytes)
{
	uintptr_t start = ROUND_UP((uintptr_t)mem + HEAP_HEADER, HEAP_UNIT);
	uintptr_t end = ROUND_DOWN((uintptr_t)mem + bytes + HEAP_HEADER, HEAP_UNIT);
	char *first = (char *)mem + (start - (uintptr_t)mem);

	*heap = (struct sys_heap){0};
	heap->start = first;
	heap->top = first;
	heap->end = end <= start ? first : first + (end - start);
	arch_block_taken(mem, bytes); /* whatever it was before */
}

void *sys_heap_alloc(struct sys_heap *heap, size_t bytes)
{
	size_t size = size_for(bytes);

	return size == 0 ? NULL : alloc_size(heap, size);
}

/* What to take for `bytes` at a multiple of `align`; 0 if there cannot be such a block. */
/*@ assigns \nothing;
  @ ensures \result == 0 <==> bytes == 0 || bytes > HEAP_BYTES_MAX || align > HEAP_BYTES_MAX ||
  @   (align & (size_t)(align - 1)) != 0;
  @ ensures \result != 0 ==> \result >= bytes + HEAP_HEADER && \result >= HEAP_BLOCK_MIN;
  @ ensures \result > HEAP_BLOCK_MIN && align <= HEAP_UNIT ==>
  @   \result < bytes + HEAP_HEADER + HEAP_UNIT;
  @ ensures \result != 0 && align > HEAP_UNIT ==>
  @   bytes + HEAP_HEADER + align + HEAP_UNIT <= \result &&
  @   (\result < bytes + HEAP_HEADER + align + 2 * HEAP_UNIT ||
  @    \result == HEAP_BLOCK_MIN + align + HEAP_UNIT);
  @*/
static size_t size_for_aligned(size_t align, size_t bytes)
{
	size_t size = size_for(bytes);

	if (size == 0 || (align & (align - 1U)) != 0 || align > HEAP_BYTES_MAX) {
		return 0;
	}
	/* The part in front is 0 or at least a block: at worst one unit short of it. */
	return align <= HEAP_UNIT ? size : size + align + HEAP_UNIT;
}

void *sys_heap_aligned_alloc(struct sys_heap *heap, size_t align, size_t bytes)
{
	size_t size = size_for_aligned(align, bytes);
	char *block = size == 0 ? NULL : alloc_size(heap, size);
	size_t gap;

	if (block == NULL || align <= HEAP_UNIT) {
		return block;
	}
	gap = (size_t)-(uintptr_t)block & (align - 1U);
	if (gap != 0) {
		char *front = block;
		size_t whole = size_of(block);

		if (gap < HEAP_BLOCK_MIN) {
			gap += align;
		}
		block += gap;
		*heap_header(block) = whole - gap;
		*heap_header(front) = gap;
		heap_release(heap, front);
	}
	(void)sys_heap_resize(heap, block, bytes);
	return block;
}

void heap_release(struct sys_heap *heap, void *mem)
{
	char *block = mem;
	size_t header;
	char *next;
	char *old_victim;
	char *old_victim_end;

	heap_check_used(heap, block);
	header = *heap_header(block);
	next = block + (header & ~HEAP_FLAGS);
	heap_mark_freed(block, header & ~HEAP_FLAGS);
	if ((header & HEAP_PREV_FREE) != 0) {
		block -= *heap_footer(block);
		(void)take_from_list(heap, block);
	} else if (block == heap->victim_end) {
		block = heap->victim;
		clear_victim(heap);
	}
	if (next == heap->top) {
		heap->top = block;
		return;
	}
	if (next == heap->victim) {
		heap->victim = block;
		return;
	}
	if ((*heap_header(next) & HEAP_FREE) != 0) {
		next = take_from_list(heap, next);
	}
	old_victim = heap->victim;
	old_victim_end = heap->victim_end;
	heap_set_victim(heap, block, next);
	if (old_victim != NULL) {
		put_in_list(heap, old_victim, old_victim_end);
	}
}

/* Let the block before `next` have `more` bytes behind itself. Returns its new end, or NULL. */
static char *extend(struct sys_heap *heap, char *next, size_t more)
{
	char *wanted = next + more;

	if (next == heap->top) {
		if ((size_t)(heap->end - next) < more) {
			return NULL;
		}
		heap->top = wanted;
		return wanted;
	}
	if (next == heap->victim) {
		if ((size_t)(heap->victim_end - next) < more) {
			return NULL;
		}
		return take_from_victim(heap, more);
	}
	if ((*heap_header(next) & HEAP_FREE) == 0 || size_of(next) < more) {
		return NULL;
	}
	return keep_front(heap, wanted, take_from_list(heap, next));
}

bool sys_heap_resize(struct sys_heap *heap, void *mem, size_t bytes)
{
	char *block = mem;
	size_t size = size_for(bytes);
	size_t flags;
	size_t old;

	heap_check_used(heap, block);
	if (size == 0) {
		return false;
	}
	flags = *heap_header(block) & HEAP_FLAGS;
	old = size_of(block);
	if (size > old) {
		char *next = extend(heap, block + old, size - old);

		if (next == NULL) {
			return false;
		}
		*heap_header(block) = (size_t)(next - block) | flags;
		arch_block_taken(block, (size_t)(next - block) - HEAP_HEADER);
	} else if (old - size >= HEAP_BLOCK_MIN) {
		*heap_header(block) = size | flags;
		*heap_header(block + size) = old - size;
		heap_release(heap, block + size);
	}
	return true;
}

bool sys_heap_can_ever(const struct sys_heap *heap, const void *block, size_t align, size_t bytes)
{
	const char *kept = block;
	size_t size = size_for_aligned(align, bytes);
	size_t room = (size_t)(heap->end - heap->start);

	if (kept != NULL) {
		/* Where it is, with all that is behind; or all that is in front. */
		room = MAX((size_t)(heap->end - kept), (size_t)(kept - heap->start));
	}
	return size != 0 && size <= room;
}

/*@ requires \valid_read((size_t *)block - 1) && *((size_t *)block - 1) >= HEAP_UNIT;
  @ assigns \nothing;
  @ ensures \result <= *((size_t *)block - 1) - HEAP_HEADER;
  @ ensures (\result + HEAP_HEADER) % HEAP_UNIT == 0;
  @*/
size_t heap_usable_size(const void *block)
{
	return size_of(block) - HEAP_HEADER;
}

#ifdef CONFIG_ASSERT
void heap_check_used(const struct sys_heap *heap, const char *block)
{
	const char *next;
	size_t header;

	K_ASSERT(block >= heap->start && block < heap->end && (uintptr_t)block % HEAP_UNIT == 0,
		 "heap-free-of-no-block");
	K_ASSERT(block < heap->top && (block < heap->victim || block >= heap->victim_end),
		 "heap-double-free");
	header = *heap_header(block);
	K_ASSERT(header >= HEAP_BLOCK_MIN && header <= (size_t)(heap->top - block) + HEAP_FLAGS,
		 "heap-corrupt-header");
	K_ASSERT((header & (HEAP_FREE | HEAP_FREED)) == 0, "heap-double-free");
	next = block + (header & ~HEAP_FLAGS);
	if (next != heap->top && next != heap->victim) {
		header = *heap_header(next);
		K_ASSERT((header & HEAP_PREV_FREE) == 0, "heap-corrupt-header");
		K_ASSERT((header & ~HEAP_FLAGS) <= (size_t)(heap->top - next),
			 "heap-corrupt-header");
	}
	if ((*heap_header(block) & HEAP_PREV_FREE) != 0) {
		size_t before = *((const size_t *)(const void *)block - 2);

		K_ASSERT(before <= (size_t)(block - heap->start) &&
				 *heap_header(block - before) == (before | HEAP_FREE),
			 "heap-corrupt-header");
	}
}
#endif
