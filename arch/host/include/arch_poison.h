/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of heaps and slabs that nobody has: with AddressSanitizer each access to one ends the run.
 * The allocator's own, to tags and links that lie there, are let pass: kernel/memory/sys_heap.c is
 * built without it (arch.cmake), and so are the functions of its header.
 */
#ifndef FOLIOT_ARCH_HOST_POISON_H
#define FOLIOT_ARCH_HOST_POISON_H

#include <stddef.h>

#ifdef CONFIG_HOST_SANITIZERS
#include <sanitizer/asan_interface.h>

#define ARCH_OWNS_FREE_BLOCKS __attribute__((no_sanitize("address")))

static inline void arch_block_freed(void *start, size_t bytes)
{
	__asan_poison_memory_region(start, bytes);
}

static inline void arch_block_taken(void *start, size_t bytes)
{
	__asan_unpoison_memory_region(start, bytes);
}
#else
#define ARCH_OWNS_FREE_BLOCKS

static inline void arch_block_freed(void *start, size_t bytes)
{
	(void)start;
	(void)bytes;
}

static inline void arch_block_taken(void *start, size_t bytes)
{
	(void)start;
	(void)bytes;
}
#endif

#endif /* FOLIOT_ARCH_HOST_POISON_H */
