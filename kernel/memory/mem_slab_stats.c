/* SPDX-License-Identifier: Apache-2.0 */
/* What is taken of a memory slab. */
#include "kernel/base/kernel.h"

int k_mem_slab_runtime_stats_get(struct k_mem_slab *slab, struct sys_memory_stats *stats)
{
	unsigned int key;

	if (slab == NULL || stats == NULL) {
		return -EINVAL;
	}
	key = arch_irq_lock();
	stats->allocated_bytes = slab->num_used * slab->block_size;
	stats->free_bytes = (slab->num_blocks - slab->num_used) * slab->block_size;
	stats->max_allocated_bytes = slab->max_used * slab->block_size;
	arch_irq_unlock(key);
	return 0;
}

int k_mem_slab_runtime_stats_reset_max(struct k_mem_slab *slab)
{
	unsigned int key;

	if (slab == NULL) {
		return -EINVAL;
	}
	key = arch_irq_lock();
	slab->max_used = slab->num_used;
	arch_irq_unlock(key);
	return 0;
}
