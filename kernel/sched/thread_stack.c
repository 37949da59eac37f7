/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks of one size for threads that are made while the system runs: as many as
 * CONFIG_DYNAMIC_THREAD_POOL_SIZE. A pool and no heap, as Zephyr may have it, too: finding one
 * costs the same always, nothing is split, and user threads' stacks lie where the kernel and the
 * protection unit's alignment want them.
 */
#include "kernel/sched/thread_stack.h"
#include "kernel/hooks/user.h"

#ifdef CONFIG_DYNAMIC_THREAD

#define NUM_STACKS CONFIG_DYNAMIC_THREAD_POOL_SIZE

BUILD_ASSERT(NUM_STACKS <= 32, "one word has a bit for each stack");

static K_THREAD_STACK_ARRAY_DEFINE(pool, NUM_STACKS, CONFIG_DYNAMIC_THREAD_STACK_SIZE);
static uint32_t given; /* a bit for each stack */

/* Which one `stack` is; NUM_STACKS: none. */
static unsigned int index_of(const k_thread_stack_t *stack)
{
	uintptr_t offset = (uintptr_t)stack - (uintptr_t)pool;

	return offset < sizeof(pool) && offset % sizeof(pool[0]) == 0
		       ? (unsigned int)(offset / sizeof(pool[0]))
		       : NUM_STACKS;
}

void thread_stack_give_back(const k_thread_stack_t *stack)
{
	unsigned int key = irq_lock();

	given &= ~((uint32_t)1 << index_of(stack));
	irq_unlock(key);
}

k_thread_stack_t *k_thread_stack_alloc(size_t size, int flags)
{
	uint32_t left;
	unsigned int key, index;

	ARG_UNUSED(flags);
	if (size == 0 || size > CONFIG_DYNAMIC_THREAD_STACK_SIZE) {
		return NULL;
	}
	user_reap();
	key = arch_irq_lock();
	left = ~given & (UINT32_MAX >> (32 - NUM_STACKS));
	if (left == 0) {
		arch_irq_unlock(key);
		return NULL;
	}
	index = (unsigned int)__builtin_ctz(left);
	given |= (uint32_t)1 << index;
	/* Never out of the pool and nobody's: whoever ends the caller waits until it is known. */
	return user_stack_allocated(pool[index], sizeof(pool[index]), key);
}

int k_thread_stack_free(k_thread_stack_t *stack)
{
	unsigned int index = index_of(stack);
	unsigned int key = irq_lock();
	bool is_given = index < NUM_STACKS && (given >> index & 1U) != 0;

	irq_unlock(key);
	if (!is_given) {
		return -EINVAL;
	}
	if (IS_ENABLED(CONFIG_USERSPACE)) {
		return user_stack_free(stack);
	}
	thread_stack_give_back(stack);
	return 0;
}

#else

k_thread_stack_t *k_thread_stack_alloc(size_t size, int flags)
{
	return NULL;
}

int k_thread_stack_free(k_thread_stack_t *stack)
{
	return -ENOTSUP;
}

#endif
