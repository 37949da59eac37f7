/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the allocator's model test share; see heap_model.c. */
#ifndef FOLIOT_TESTS_HEAP_MODEL_H
#define FOLIOT_TESTS_HEAP_MODEL_H

#include "kernel/memory/sys_heap.h"
#include "tests/host/rule.h"

/* A free range, wherever the allocator keeps it. */
enum range_kind { RANGE_LISTED, RANGE_VICTIM, RANGE_TOP, RANGE_KINDS };

/* What a traversal over all blocks found. */
struct heap_shape {
	size_t used_blocks;
	size_t largest[RANGE_KINDS];   /* bytes */
	size_t least_fit[RANGE_KINDS]; /* the smallest that has `wanted` bytes; 0: none */
};

/*
 * Walk over the whole heap and its lists and fail if anything is not as sys_heap.c's
 * invariants say. `wanted`: a block size for heap_shape.least_fit. `used` is called with
 * each used block, and its size, in order of address; may be NULL.
 */
struct heap_shape heap_traversal(const struct sys_heap *heap, size_t wanted,
				 void (*used)(const char *block, size_t size, void *arg),
				 void *arg);

/* The class that the traversal expects a block of `size` bytes in, computed the slow way. */
unsigned int heap_traversal_class(size_t size);

/* Every misuse that debug builds detect, by its name. */
void heap_abuse(void);

#endif /* FOLIOT_TESTS_HEAP_MODEL_H */
