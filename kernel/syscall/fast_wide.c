/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fast paths for which six registers are not enough, compiled with all that a function has, but for
 * the one with the call's number: where they are done, all are cleared (arch_user_call_cleared()).
 */
#include "kernel/syscall/fast.h"
#include "kernel/memory/sys_heap.h"
#include "kernel/objects/queue_link.h"

#undef IN_FULL
#define IN_FULL(name, ...)           GO_ON(verified, name, __VA_ARGS__)
#define done(result, key)            arch_user_call_cleared(result)
#define LINK_DATA(queue, data, last) link_data(queue, data, last)
#define GET_FROM_CONTAINER(queue)    get_from_container(queue)

GOES_ON_IN(masked, queue_link_container, struct k_queue *, void *, bool, unsigned int)
GOES_ON_IN(masked, queue_get_from_container, struct k_queue *, unsigned int, uintptr_t, uintptr_t)
GOES_ON_IN(masked_throughout, queue_link_container, struct k_queue *, void *, bool, unsigned int)

static inline intptr_t link_data(struct k_queue *queue, void *data, bool last)
{
	struct k_heap *heap = k_cpu.current->resource_pool;
	struct queue_container *container = NULL;

	if (unlikely(poll_is_awaited(queue))) {
		return masked_queue_link_container(queue, data, last, ARCH_IRQ_KEY_OPEN,
						   queue_link_container);
	}
	if (likely(heap != NULL)) {
		container = heap_alloc_fast(&heap->heap, sizeof(*container));
	}
	if (unlikely(container == NULL)) { /* with a key of who was masked, nothing is opened */
		return masked_throughout_queue_link_container(
			queue, data, last, ARCH_IRQ_KEY_MASKED, queue_link_container);
	}
	queue_link_filled(queue, container, data, heap, last);
	return done(0, 0);
}

static inline intptr_t get_from_container(struct k_queue *queue)
{
	struct queue_container *container = (struct queue_container *)queue_item_link(queue->head);
	struct k_heap *heap = container->heap;
	uintptr_t next = queue_behind_container(container);
	void *data = container->data;

	if (unlikely(heap->wait_q.head != NULL ||
		     !heap_free_fast(&heap->heap, (char *)container))) {
		return masked_queue_get_from_container(queue, ARCH_IRQ_KEY_OPEN, NO_WORD, NO_WORD,
						       queue_get_from_container);
	}
	queue_unlink_first(queue, next);
	return done((intptr_t)data, 0);
}

#include "kernel/objects/queue_ops.h"

intptr_t fast_pop_empty(struct k_stack *stack, stack_data_t *data, k_timeout_t timeout)
{
	struct k_thread *current = k_cpu.current;

	if (likely(timeout.ticks == K_TICKS_FOREVER) && SWITCHES_FAST &&
	    ((uintptr_t)stack->wait_q.head | current->state) == 0 &&
	    likely(is_word_near(current, data))) {
		struct k_thread *next = sched_pend_alone(&stack->wait_q, current);

		stack->limit = stack->base;
		k_cpu.current = next;
		return arch_user_call_switch_and_store(current, next, data);
	}
	return masked_stack_pop_masked(stack, data, timeout, NO_WORD, stack_pop_masked);
}
