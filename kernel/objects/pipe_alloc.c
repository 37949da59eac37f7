/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffers of pipes that are allocated. A file of its own: a program that defines its pipes has no
 * use for a heap.
 */
#include "kernel/objects/pipe.h"

CALLS_DIRECTLY(k_pipe_init);

int pipe_alloc_init(struct k_pipe *pipe, size_t size)
{
	struct k_heap *heap = k_cpu.current->resource_pool;
	uint8_t *buffer = heap == NULL || size == 0 ? NULL : k_heap_alloc(heap, size, K_NO_WAIT);

	if (buffer == NULL && size != 0) {
		return -ENOMEM;
	}
	k_pipe_init(pipe, buffer, size);
	pipe->pool = buffer == NULL ? NULL : heap;
	return 0;
}

void pipe_give_back(struct k_pipe *pipe)
{
	if (pipe->pool != NULL) {
		k_heap_free(pipe->pool, pipe->buffer);
		pipe->pool = NULL;
		pipe->buffer = NULL;
		pipe->size = 0;
		pipe->used = 0;
	}
}
