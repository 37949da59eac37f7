/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heaps: the system heap behind k_malloc(), and heaps of the application's own.
 *
 * Constant-time good fit (two-level segregated lists): allocation and release cost
 * the same whatever the heap looks like. Neighbouring free blocks merge at once.
 */
#ifndef FOLIOT_HEAP_H
#define FOLIOT_HEAP_H

#include <foliot/time.h>
#include <foliot/wait_q.h>

/* First and second level of the free lists; see kernel/heap.c for what they hold. */
#define HEAP_FL_COUNT 20
#define HEAP_SL_COUNT 4

struct heap_block;

struct sys_heap {
	uint32_t fl_bitmap;
	uint8_t sl_bitmap[HEAP_FL_COUNT];
	struct heap_block *free[HEAP_FL_COUNT][HEAP_SL_COUNT];
	size_t free_bytes;
};

struct k_heap {
	struct sys_heap heap;
	_wait_q_t wait_q;
};

/* Define a heap of `bytes` usable bytes at build time. */
struct k_heap_static {
	struct k_heap *heap;
	void *mem;
	size_t bytes;
};
#define K_HEAP_DEFINE(name, bytes_)                                                                \
	static char __noinit __aligned(8) _k_heap_mem_##name[ROUND_UP_CONST_(bytes_, 8) + 32];     \
	struct k_heap name;                                                                        \
	static const STRUCT_SECTION_ITERABLE(k_heap_static, k_heap_static,                         \
					     _k_heap_static_##name) = {                            \
		&name, _k_heap_mem_##name, sizeof(_k_heap_mem_##name)}

/* Prepare a heap in `mem`. Context: either. */
void k_heap_init(struct k_heap *heap, void *mem, size_t bytes);

/*
 * Allocate `bytes` (aligned to 8, or to `align`, a power of two). Returns NULL when
 * there is no such block in time, or for 0 bytes. The wait is in order of priority.
 * Context: thread (ISR with K_NO_WAIT).
 */
void *k_heap_alloc(struct k_heap *heap, size_t bytes, k_timeout_t timeout);
void *k_heap_aligned_alloc(struct k_heap *heap, size_t align, size_t bytes, k_timeout_t timeout);
void *k_heap_calloc(struct k_heap *heap, size_t num, size_t size, k_timeout_t timeout);
/* Resize, in place where possible; NULL leaves the old block alone. Context: as above. */
void *k_heap_realloc(struct k_heap *heap, void *ptr, size_t bytes, k_timeout_t timeout);
/* Give a block back; NULL is allowed. Context: either. */
void k_heap_free(struct k_heap *heap, void *ptr);

/*
 * The system heap, of CONFIG_HEAP_MEM_POOL_SIZE bytes. Never wait; NULL when there is
 * no room, or for 0 bytes. k_free() accepts NULL. Context: either.
 */
void *k_malloc(size_t size);
void *k_aligned_alloc(size_t align, size_t size);
void *k_calloc(size_t nmemb, size_t size);
void *k_realloc(void *ptr, size_t size);
void k_free(void *ptr);

/* The system heap itself (NULL when CONFIG_HEAP_MEM_POOL_SIZE is 0). */
struct k_heap *k_system_heap(void);

#endif /* FOLIOT_HEAP_H */
