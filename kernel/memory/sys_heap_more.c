/* SPDX-License-Identifier: Apache-2.0 */
/* What heaps of an application's own have beside the kernel's: see zephyr/sys/sys_heap.h. */
#include "kernel/memory/sys_heap.h"
#include "lib/string.h"

size_t sys_heap_usable_size(struct sys_heap *heap, void *mem)
{
	return heap_usable_size(mem);
}

void sys_heap_free(struct sys_heap *heap, void *mem)
{
	if (mem != NULL) {
		heap_release(heap, mem);
	}
}

void *sys_heap_aligned_realloc(struct sys_heap *heap, void *ptr, size_t align, size_t bytes)
{
	void *block;

	if (ptr == NULL) {
		return sys_heap_aligned_alloc(heap, align, bytes);
	}
	if (bytes == 0) {
		sys_heap_free(heap, ptr);
		return NULL;
	}
	if ((align == 0 || (uintptr_t)ptr % align == 0) && sys_heap_resize(heap, ptr, bytes)) {
		return ptr;
	}
	block = sys_heap_aligned_alloc(heap, align, bytes);
	if (block != NULL) {
		memcpy(block, ptr, MIN(heap_usable_size(ptr), bytes));
		sys_heap_free(heap, ptr);
	}
	return block;
}

void *sys_heap_realloc(struct sys_heap *heap, void *ptr, size_t bytes)
{
	return sys_heap_aligned_realloc(heap, ptr, 0, bytes);
}
