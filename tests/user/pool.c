/* SPDX-License-Identifier: Apache-2.0 */
/* See pool.h. */
#include "pool.h"

K_HEAP_DEFINE(pool, POOL_SIZE);

size_t pool_free(void)
{
	size_t bytes = 0;
	void *block;

	k_thread_heap_assign(k_current_get(), &pool);
	k_sleep(K_TICKS(1)); /* the CPU is idle: what ended threads left is freed */
	for (size_t try = POOL_SIZE; try > 0; try -= 8) {
		block = k_heap_alloc(&pool, try, K_NO_WAIT);
		if (block != NULL) {
			bytes = try;
			k_heap_free(&pool, block);
			break;
		}
	}
	return bytes;
}

k_tid_t prepare_with_pool(k_thread_entry_t entry, void *p1, void *p2, void *p3)
{
	k_tid_t thread = user_prepare(entry, p1, p2, p3);

	k_thread_heap_assign(thread, &pool);
	return thread;
}
