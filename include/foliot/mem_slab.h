/* SPDX-License-Identifier: Apache-2.0 */
/* Memory slabs: equal blocks, allocated and freed in constant time. */
#ifndef FOLIOT_MEM_SLAB_H
#define FOLIOT_MEM_SLAB_H

#include <foliot/time.h>
#include <foliot/obj_core.h>
#include <foliot/wait_q.h>

struct k_mem_slab {
	_wait_q_t wait_q;
	void *free_list;
	char *fresh;       /* blocks from here to the end were never handed out */
	char *buffer;
	uint32_t num_blocks;
	size_t block_size; /* bytes, a multiple of the word size */
	uint32_t num_used;
	uint32_t max_used;
	K_OBJ_CORE_MEMBER
};

#define K_MEM_SLAB_INITIALIZER(buf, size, n) \
	{WAIT_Q_INIT, NULL, (buf), (buf), (n), (size), 0, 0 K_OBJ_CORE_INIT_}
#define K_MEM_SLAB_DEFINE(name, size, n, align)                                                    \
	static char __noinit __aligned(align)                                                      \
		_k_slab_buf_##name[ROUND_UP_CONST_(size, sizeof(void *)) * (n)];                   \
	struct k_mem_slab name = K_MEM_SLAB_INITIALIZER(_k_slab_buf_##name,                        \
							ROUND_UP_CONST_(size, sizeof(void *)), n); \
	K_OBJ_CORE_STATIC_(name, mem_slab)

/*
 * Returns 0, or -EINVAL when buffer or block_size is not a multiple of the word size
 * or is 0. Context: either.
 */
int k_mem_slab_init(struct k_mem_slab *slab, void *buffer, size_t block_size, uint32_t num_blocks);

/*
 * Take a block: *mem, or NULL there. Returns 0; -ENOMEM: none, and K_NO_WAIT was
 * given; -EAGAIN: timed out. Context: thread (ISR with K_NO_WAIT).
 */
int k_mem_slab_alloc(struct k_mem_slab *slab, void **mem, k_timeout_t timeout);
/* Give a block back, or to the most urgent waiter. Context: either. */
void k_mem_slab_free(struct k_mem_slab *slab, void *mem);

/* Context: either. */
static inline uint32_t k_mem_slab_num_used_get(const struct k_mem_slab *slab)
{
	return slab->num_used;
}

static inline uint32_t k_mem_slab_num_free_get(const struct k_mem_slab *slab)
{
	return slab->num_blocks - slab->num_used;
}

static inline uint32_t k_mem_slab_max_used_get(const struct k_mem_slab *slab)
{
	return slab->max_used;
}

#endif /* FOLIOT_MEM_SLAB_H */
