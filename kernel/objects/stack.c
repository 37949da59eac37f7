/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks of words. A push while somebody waits leaves the word with the waiter, which stores
 * it where its caller wants it when it runs again.
 *
 * Threads wait only at an empty stack, where next is base. A pop that blocks sets the
 * limit to base as well, so a push tests for a full stack and for waiters at once.
 */
#include "kernel/sched/sched.h"
#include "kernel/hooks/object.h"

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

static __noinline int push_at_limit(struct k_stack *stack, stack_data_t data, unsigned int key)
{
	struct k_thread *waiter = stack->wait_q.head;

	if (waiter != NULL) {
		waiter->wake_data = data;
		k_cpu.current->wake_value = 0;
		return (int)sched_wake_first_inline(&stack->wait_q, waiter, 0, key);
	}
	if (stack->next == stack->top) {
		arch_irq_unlock(key);
		return -ENOMEM;
	}
	stack->limit = stack->top;
	*stack->next++ = data;
	arch_irq_unlock(key);
	return 0;
}

int k_stack_push(struct k_stack *stack, stack_data_t data)
{
	unsigned int key = arch_irq_lock();
	stack_data_t *next = stack->next;

	if (unlikely(next == stack->limit)) {
		return push_at_limit(stack, data, key);
	}
	*next = data;
	stack->next = next + 1;
	arch_irq_unlock(key);
	return 0;
}

static __noinline int pop_blocking(struct k_stack *stack, stack_data_t *data, k_timeout_t timeout,
				   unsigned int key)
{
	int result;

	stack->limit = stack->base;
	result = (int)sched_pend_inline(&stack->wait_q, timeout, key, -EAGAIN);
	if (likely(result == 0)) {
		*data = k_cpu.current->wake_data;
	}
	return result;
}

int k_stack_pop(struct k_stack *stack, stack_data_t *data, k_timeout_t timeout)
{
	unsigned int key = arch_irq_lock();
	stack_data_t *next = stack->next;

	if (unlikely(next == stack->base)) {
		if (timeout.ticks == 0) {
			arch_irq_unlock(key);
			return -EBUSY;
		}
		return pop_blocking(stack, data, timeout, key);
	}
	next--;
	stack->next = next;
	*data = *next;
	arch_irq_unlock(key);
	return 0;
}
