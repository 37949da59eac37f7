/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Memory slabs: equal blocks, allocated and freed in constant time.
 */
#ifndef FOLIOT_MEM_SLAB_H
#define FOLIOT_MEM_SLAB_H

#include <foliot/time.h>
#include <foliot/obj_core.h>
#include <foliot/wait_q.h>

/** A slab of equal blocks, and who waits for one. */
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

/** What a k_mem_slab is initialised with: `n` blocks of `size` bytes, a multiple of a word's. */
#define K_MEM_SLAB_INITIALIZER(buf, size, n) \
	{WAIT_Q_INIT, NULL, (buf), (buf), (n), (size), 0, 0 K_OBJ_CORE_INIT_}
/**
 * Define a slab of `n` blocks of `size` bytes (rounded up to whole words), the first
 * aligned to `align`, ready before any code runs; at file scope.
 */
#define K_MEM_SLAB_DEFINE(name, size, n, align) MEM_SLAB_DEFINE_(, name, size, n, align)
/** The same, known in this file only. */
#define K_MEM_SLAB_DEFINE_STATIC(name, size, n, align) \
	MEM_SLAB_DEFINE_(static, name, size, n, align)
#define MEM_SLAB_DEFINE_(linkage, name, size, n, align)                          \
	static char __noinit __aligned(align)                                    \
		_k_slab_buf_##name[ROUND_UP_CONST_(size, sizeof(void *)) * (n)]; \
	linkage struct k_mem_slab name = K_MEM_SLAB_INITIALIZER(                 \
		_k_slab_buf_##name, ROUND_UP_CONST_(size, sizeof(void *)), n);   \
	K_OBJ_CORE_STATIC_(name, mem_slab)

/**
 * Prepare a slab of `num_blocks` blocks of `block_size` bytes in `buffer`.
 * Returns 0, or -EINVAL when buffer or block_size is not a multiple of the word size, or
 * block_size is 0.
 * Context: either.
 */
int k_mem_slab_init(struct k_mem_slab *slab, void *buffer, size_t block_size, uint32_t num_blocks);

/**
 * Take a block into *mem; NULL there where none is taken.
 * Returns 0; -ENOMEM: none, and K_NO_WAIT was given; -EAGAIN: timed out, or called from
 * an ISR that would have had to wait (asserted: blocking-call-in-isr).
 * Context: thread (ISR with K_NO_WAIT).
 */
int k_mem_slab_alloc(struct k_mem_slab *slab, void **mem, k_timeout_t timeout);

/**
 * Give a block back, or to the most urgent waiter. `mem` is a block that is taken
 * (asserted: not-a-block-of-this-slab, slab-double-free). A `void **` does not compile
 * (in C): so the address of the pointer was passed up to Zephyr 3.4.
 * Context: either.
 */
void k_mem_slab_free(struct k_mem_slab *slab, void *mem);
#ifndef __cplusplus
/** The function, for what is no `void **`. Context: either. */
#define k_mem_slab_free(slab, mem)                                                             \
	k_mem_slab_free(slab, ((void)sizeof(struct {                                           \
				       _Static_assert(_Generic((mem), void **: 0, default: 1), \
						      "k_mem_slab_free() takes the block,"     \
						      " not the address of its pointer");      \
				       char place;                                             \
			       }),                                                             \
			       (mem)))
#endif

/** What k_mem_slab_runtime_stats_get() tells. */
struct sys_memory_stats {
	size_t free_bytes;          /**< bytes, that can be allocated */
	size_t allocated_bytes;     /**< bytes, that are */
	size_t max_allocated_bytes; /**< bytes, the most that ever were */
};

/**
 * What there is of a slab.
 * Returns 0, or -EINVAL for NULL.
 * Context: either.
 */
int k_mem_slab_runtime_stats_get(struct k_mem_slab *slab, struct sys_memory_stats *stats);

/**
 * The most that ever was taken is what is taken now.
 * Returns 0, or -EINVAL for NULL.
 * Context: either.
 */
int k_mem_slab_runtime_stats_reset_max(struct k_mem_slab *slab);

/** Returns how many blocks are taken. Context: either. */
static inline uint32_t k_mem_slab_num_used_get(const struct k_mem_slab *slab)
{
	return slab->num_used;
}

/** Returns how many blocks are free. Context: either. */
static inline uint32_t k_mem_slab_num_free_get(const struct k_mem_slab *slab)
{
	return slab->num_blocks - slab->num_used;
}

/** Returns the most blocks that were ever taken at once. Context: either. */
static inline uint32_t k_mem_slab_max_used_get(const struct k_mem_slab *slab)
{
	return slab->max_used;
}

#endif /* FOLIOT_MEM_SLAB_H */
