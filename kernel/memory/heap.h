/* SPDX-License-Identifier: Apache-2.0 */
/* What calls of other rooms do with a heap's memory in one step with more. */
#ifndef FOLIOT_KERNEL_HEAP_H
#define FOLIOT_KERNEL_HEAP_H

#include "kernel/base/kernel.h"

/* k_heap_alloc() at once, with interrupts masked: a block or NULL. */
void *heap_take(struct k_heap *heap, size_t bytes);

/*
 * k_heap_free() of a block of the heap's, with interrupts masked since `key`; restores key, and
 * serves those who wait. Returns `result`, so that a caller with one can end in a tail call.
 */
void *heap_give_back(struct k_heap *heap, void *ptr, unsigned int key, void *result);

#endif /* FOLIOT_KERNEL_HEAP_H */
