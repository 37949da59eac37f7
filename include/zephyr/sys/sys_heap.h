/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The allocator behind k_malloc() and k_heap_alloc(), for memory of the caller's own: no lock and
 * no waiting. Who shares a heap sees to it that one is at it at a time. heap.h says what it costs.
 */
#ifndef ZEPHYR_SYS_SYS_HEAP_H
#define ZEPHYR_SYS_SYS_HEAP_H

#include <foliot/heap.h>
#include <zephyr/toolchain.h>

EXTERN_C_BEGIN_

/** Prepare `heap` in `bytes` bytes at `mem`; it can hand out all but two words. Context: either. */
void sys_heap_init(struct sys_heap *heap, void *mem, size_t bytes);
/**
 * Allocate, aligned to HEAP_UNIT. Returns the block; NULL: no room, or 0 bytes. Context: either.
 */
void *sys_heap_alloc(struct sys_heap *heap, size_t bytes);
/**
 * Allocate at a multiple of `align`, a power of two, or 0.
 * Returns the block; NULL: no room, 0 bytes, or another `align`.
 * Context: either.
 */
void *sys_heap_aligned_alloc(struct sys_heap *heap, size_t align, size_t bytes);
/** sys_heap_alloc(); `align` is not looked at. Returns what it returns. Context: either. */
static inline void *sys_heap_noalign_alloc(struct sys_heap *heap, size_t align, size_t bytes)
{
	ARG_UNUSED(align);
	return sys_heap_alloc(heap, bytes);
}

/** Give a block back; NULL is allowed. Context: either. */
void sys_heap_free(struct sys_heap *heap, void *mem);
/**
 * Resize a block, in place where possible, else into a new one with the contents copied. NULL
 * allocates; 0 bytes give it back.
 * Returns where it is now; NULL: no room, and the old one is as it was; or 0 bytes.
 * Context: either.
 */
void *sys_heap_realloc(struct sys_heap *heap, void *ptr, size_t bytes);
/** The same, at a multiple of `align`. Returns the block or NULL. Context: either. */
void *sys_heap_aligned_realloc(struct sys_heap *heap, void *ptr, size_t align, size_t bytes);
/** Returns the bytes that a block can hold, at least those asked for. Context: either. */
size_t sys_heap_usable_size(struct sys_heap *heap, void *mem);

EXTERN_C_END_

#endif /* ZEPHYR_SYS_SYS_HEAP_H */
