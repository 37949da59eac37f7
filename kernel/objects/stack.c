/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks of words. A push while somebody waits leaves the word with the waiter, which stores
 * it where its caller wants it when it runs again.
 *
 * Threads wait only at an empty stack, where next is base. A pop that blocks sets the
 * limit to base as well, so a push tests for a full stack and for waiters at once.
 */
#include "kernel/hooks/object.h"
#include "kernel/objects/operation.h"

void k_stack_init(struct k_stack *stack, stack_data_t *buffer, uint32_t num_entries)
{
	object_init_begin(stack, stack);
	*stack = (struct k_stack)K_STACK_INITIALIZER(buffer, num_entries);
	object_init_end(stack, stack);
}

int32_t k_stack_alloc_init(struct k_stack *stack, uint32_t num_entries)
{
	struct k_heap *heap = k_cpu.current->resource_pool;
	void *buffer = NULL;
	size_t bytes;

	if (heap != NULL && !__builtin_mul_overflow(num_entries, sizeof(stack_data_t), &bytes)) {
		buffer = k_heap_alloc(heap, bytes, K_NO_WAIT);
	}
	if (buffer == NULL) {
		return -ENOMEM;
	}
	k_stack_init(stack, buffer, num_entries);
	stack->pool = heap;
	return 0;
}

int k_stack_cleanup(struct k_stack *stack)
{
	if (stack->wait_q.head != NULL) {
		return -EAGAIN;
	}
	if (stack->pool != NULL) {
		k_heap_free(stack->pool, stack->base);
		stack->pool = NULL;
	}
	return 0;
}

static inline int take_word(struct k_stack *stack, stack_data_t *data, unsigned int key)
{
	stack_data_t *next = stack->next - 1;

	stack->next = next;
	*data = *next;
	arch_irq_unlock(key);
	return 0;
}

/* What a pop that has waited ends with. */
static inline int store_word(int result, stack_data_t *data)
{
	if (likely(result == 0)) {
		*data = k_cpu.current->wake_data;
	}
	return result;
}

static __noinline int pop_timed(struct k_stack *stack, stack_data_t *data, k_timeout_t timeout,
				unsigned int key)
{
	/* Bound: D, a word was pushed in a window. */
	if (sched_arm_first(timeout, -EAGAIN, key) && stack->next != stack->base) {
		sched_disarm();
		return take_word(stack, data, key);
	}
	stack->limit = stack->base;
	return store_word((int)sched_pend_timed(&stack->wait_q, timeout, key, -EAGAIN), data);
}

static __noinline int pop_blocking(struct k_stack *stack, stack_data_t *data, k_timeout_t timeout,
				   unsigned int key)
{
	if (timeout.ticks != K_TICKS_FOREVER) {
		return pop_timed(stack, data, timeout, key);
	}
	stack->limit = stack->base;
	return store_word((int)sched_pend_inline(&stack->wait_q, K_FOREVER, key, -EAGAIN), data);
}

static inline intptr_t hand_over(struct k_stack *stack, struct k_thread *waiter, unsigned int key)
{
	K_ASSERT(((waiter->state & K_THREAD_STOOD_ON) | waiter->wait_flags) == 0,
		 "traversal-of-a-stack");
	k_cpu.current->wake_value = 0;
	return sched_wake_first_inline(&stack->wait_q, waiter, 0, key);
}

#define WAKE(...)                                hand_over(stack, waiter, key)
#define TAKE_WORD(stack, data, timeout, in_full) take_word(stack, data, key)
#define WAIT_FOR_WORD(stack, data, timeout, in_full) \
	(unlikely(timeout.ticks == 0) ? done(-EBUSY, key) : pop_blocking(stack, data, timeout, key))
#include "kernel/objects/stack_ops.h"
