/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory slabs. Blocks that were never used are taken from a rising pointer, so that
 * a slab defined at build time needs no code to string its blocks together.
 */
#include "kernel/sched/sched.h"
#include "kernel/hooks/object.h"
#include "kernel/memory/poison.h"

/*@ requires \valid(slab);
  @ assigns *slab;
  @ ensures \result == (((uintptr_t)buffer | block_size) % sizeof(void *) != 0 ||
  @   block_size == 0 ? -EINVAL : 0);
  @ ensures \result == 0 ==> slab->num_used == 0 && slab->num_blocks == num_blocks &&
  @   slab->block_size == block_size && slab->free_list == \null && slab->fresh == buffer;
  @ ensures \result == 0 ==> slab->max_used == 0 && slab->wait_q.head == \null;
  @*/
int k_mem_slab_init(struct k_mem_slab *slab, void *buffer, size_t block_size, uint32_t num_blocks)
{
	if (((uintptr_t)buffer | block_size) % sizeof(void *) != 0 || block_size == 0) {
		return -EINVAL;
	}
	object_init_begin(slab, mem_slab);
	*slab = (struct k_mem_slab)K_MEM_SLAB_INITIALIZER(buffer, block_size, num_blocks);
	object_init_end(slab, mem_slab);
	return 0;
}

/*@ requires \valid(slab) && slab->num_used < slab->num_blocks;
  @ requires slab->free_list != \null ==>
  @   \valid_read((void **)slab->free_list) && \separated((void **)slab->free_list, slab);
  @ assigns slab->free_list, slab->fresh, slab->num_used, slab->max_used;
  @ ensures \old(slab->free_list) != \null ==> \result == \old(slab->free_list) &&
  @   slab->free_list == \old(*(void **)slab->free_list) && slab->fresh == \old(slab->fresh);
  @ ensures \old(slab->free_list) == \null ==> \result == \old(slab->fresh) &&
  @   slab->free_list == \null && slab->fresh == \old(slab->fresh) + slab->block_size;
  @ ensures slab->num_used == \old(slab->num_used) + 1 <= slab->num_blocks;
  @ ensures slab->max_used == \max(\old(slab->max_used), slab->num_used);
  @*/
static void *take_block(struct k_mem_slab *slab)
{
	void *block = slab->free_list;

	if (block != NULL) {
		slab->free_list = *(void **)block;
	} else {
		block = slab->fresh;
		slab->fresh += slab->block_size;
	}
	arch_block_taken(block, slab->block_size);
	slab->num_used++;
	slab->max_used = MAX(slab->max_used, slab->num_used);
	return block;
}

static __noinline int alloc_waiting(struct k_mem_slab *slab, void **mem, k_timeout_t timeout,
				    unsigned int key)
{
	int result;

	*mem = NULL;
	if (timeout.ticks == 0) {
		arch_irq_unlock(key);
		return -ENOMEM;
	}
	/* Bound: D, one was freed in a window. */
	if (sched_arm_first(timeout, -EAGAIN, key) && slab->num_used != slab->num_blocks) {
		sched_disarm();
		*mem = take_block(slab);
		arch_irq_unlock(key);
		return 0;
	}
	result = (int)sched_pend_slow(&slab->wait_q, timeout, key, -EAGAIN);
	if (result == 0) {
		*mem = (void *)k_cpu.current->wake_data;
	}
	return result;
}

int k_mem_slab_alloc(struct k_mem_slab *slab, void **mem, k_timeout_t timeout)
{
	unsigned int key = arch_irq_lock();

	if (likely(slab->num_used != slab->num_blocks)) {
		*mem = take_block(slab);
		arch_irq_unlock(key);
		return 0;
	}
	return alloc_waiting(slab, mem, timeout, key);
}

void(k_mem_slab_free)(struct k_mem_slab *slab, void *mem)
{
	unsigned int key = arch_irq_lock();
	struct k_thread *waiter = slab->wait_q.head;

	K_ASSERT((char *)mem >= slab->buffer && (char *)mem < slab->fresh &&
			 (size_t)((char *)mem - slab->buffer) % slab->block_size == 0,
		 "not-a-block-of-this-slab");
	K_ASSERT(slab->num_used != 0, "slab-double-free");
	if (unlikely(waiter != NULL)) {
		K_ASSERT(((waiter->state & K_THREAD_STOOD_ON) | waiter->wait_flags) == 0,
			 "traversal-of-a-slab");
		waiter->wake_data = (uintptr_t)mem;
		sched_wake_first(&slab->wait_q, 0, key);
		return;
	}
	*(void **)mem = slab->free_list;
	arch_block_freed((void **)mem + 1, slab->block_size - sizeof(void *)); /* but the link */
	slab->free_list = mem;
	slab->num_used--;
	arch_irq_unlock(key);
}
