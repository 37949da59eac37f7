/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Heaps: the system heap behind k_malloc(), and heaps of the application's own.
 *
 * Good fit in bounded time: neither allocation nor release ever traverses the heap, so that
 * their worst does not grow with the number of blocks. It is several times their best,
 * which blocks of one size that come and go have; `foliot bench --suite heap` shows what
 * each pattern costs. Neighbouring free blocks merge at once. A block costs one word
 * beside its contents; the smallest takes four words, and sizes go in steps of two.
 */
#ifndef FOLIOT_HEAP_H
#define FOLIOT_HEAP_H

#include <foliot/util.h>
#include <foliot/time.h>
#include <foliot/obj_core.h>
#include <foliot/wait_q.h>

#define HEAP_UNIT    (2U * sizeof(size_t))      /**< bytes; alignment of every block */
#define HEAP_CLASSES (8U * sizeof(size_t) - 1U) /**< with one flag they fill a word */

struct heap_free;

/** Internal: the allocator's own, see sys_heap.h. The front is the fast paths'. */
struct sys_heap {
	char *top; /* from here to end nothing is handed out */
	char *end;
	char *victim; /* the free range that is in no list */
	char *victim_end;
	size_t classes; /* which lists have blocks */
	char *start;
	struct heap_free *list[HEAP_CLASSES];
};

/** A heap, and who waits for memory of it. */
struct k_heap {
	_wait_q_t wait_q;
	struct sys_heap heap;
	K_OBJ_CORE_MEMBER
};

/**
 * Define a heap that can hold one block of `bytes` bytes, or several of less in sum. It
 * is ready before any code runs; at file scope.
 */
#define K_HEAP_DEFINE(name, bytes)                                                             \
	static char __noinit __aligned(2 * sizeof(size_t))                                     \
		_k_heap_mem_##name[(((bytes) + HEAP_UNIT - 1U) / HEAP_UNIT + 2U) * HEAP_UNIT]; \
	struct k_heap name = {                                                                 \
		.heap =                                                                        \
			{                                                                      \
				.top = &_k_heap_mem_##name[HEAP_UNIT],                         \
				.end = &_k_heap_mem_##name[sizeof(_k_heap_mem_##name)],        \
				.start = &_k_heap_mem_##name[HEAP_UNIT],                       \
			},                                                                     \
	};                                                                                     \
	K_OBJ_CORE_STATIC_(name, heap)

/**
 * Prepare a heap in `bytes` bytes at `mem`; it can hand out all but two words.
 * Context: either.
 */
void k_heap_init(struct k_heap *heap, void *mem, size_t bytes);

/**
 * Allocate `bytes` bytes, aligned to HEAP_UNIT. Waiters wait in order of priority: memory
 * that is given back goes to the waiters it will do for, before anybody else can take it.
 * Returns the block; NULL: there was none in time; at once for 0 bytes, for more than the
 * empty heap could give, and in an ISR that would have had to wait (asserted:
 * blocking-call-in-isr).
 * Context: thread (ISR with K_NO_WAIT).
 */
void *k_heap_alloc(struct k_heap *heap, size_t bytes, k_timeout_t timeout);

/**
 * As k_heap_alloc(), aligned to `align` bytes, a power of two, or 0 for HEAP_UNIT. Beyond
 * HEAP_UNIT it must find room for `align` + HEAP_UNIT bytes more, most of which it gives back.
 * Returns the block, or NULL as above, and at once for an `align` that is no power of two
 * (asserted: heap-align-not-a-power-of-two).
 * Context: thread (ISR with K_NO_WAIT).
 */
void *k_heap_aligned_alloc(struct k_heap *heap, size_t align, size_t bytes, k_timeout_t timeout);

/**
 * As k_heap_alloc(), for num * size bytes, zeroed.
 * Returns the block, or NULL as above, and at once where num * size overflows.
 * Context: thread (ISR with K_NO_WAIT).
 */
void *k_heap_calloc(struct k_heap *heap, size_t num, size_t size, k_timeout_t timeout);

/**
 * Resize the block at `ptr` to `bytes` bytes, in place where possible, else into a new
 * block, with the contents copied and alignment beyond HEAP_UNIT lost. A NULL `ptr`
 * allocates; 0 bytes give the block back.
 * Returns where the block is now; NULL as k_heap_alloc() does, and then the old block is
 * as it was; at once if neither all the heap from the block on would do nor all in front
 * of it; NULL for 0 bytes.
 * Context: thread (ISR with K_NO_WAIT).
 */
void *k_heap_realloc(struct k_heap *heap, void *ptr, size_t bytes, k_timeout_t timeout);

/**
 * Give a block back; NULL is allowed. Constant time, and for each waiter as much again.
 * Context: either.
 */
void k_heap_free(struct k_heap *heap, void *ptr);

/**
 * k_heap_alloc() with K_NO_WAIT from the system heap, of CONFIG_HEAP_MEM_POOL_SIZE bytes.
 * Returns the block or NULL.
 * Context: either.
 */
void *k_malloc(size_t size);
/** k_heap_aligned_alloc() likewise. Returns the block or NULL. Context: either. */
void *k_aligned_alloc(size_t align, size_t size);
/** k_heap_calloc() likewise. Returns the block or NULL. Context: either. */
void *k_calloc(size_t nmemb, size_t size);
/** k_heap_realloc() likewise. Returns where the block is now, or NULL. Context: either. */
void *k_realloc(void *ptr, size_t size);
/** Give a block back to the system heap; NULL is allowed. Context: either. */
void k_free(void *ptr);

/**
 * The system heap itself.
 * Returns it, or NULL when CONFIG_HEAP_MEM_POOL_SIZE is 0.
 * Context: either.
 */
struct k_heap *k_system_heap(void);

#endif /* FOLIOT_HEAP_H */
