/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a quick call goes on with where six registers are not enough, masked still since its trap
 * (verify_quick.h): the object was looked at, and stays what it is. Compiled with all registers
 * that a function has, of which no user's value comes back: it ends in arch_user_call_cleared(),
 * which clears them all, or goes on as a call that is not quick. By its number it cannot: that is
 * in one of these registers.
 */
#include "kernel/syscall/verify_quick.h"
#include "kernel/objects/queue_link.h"
#include "kernel/memory/sys_heap.h"

GOES_ON_MASKED_3(int, stack_pop_masked, struct k_stack *, stack_data_t *, k_timeout_t)
GOES_ON_AS("masked_throughout", int32_t, queue_link_container,
	   (struct k_queue *, void *, bool, unsigned int), struct k_queue *, void *, bool,
	   unsigned int)
GOES_ON_MASKED_2(void *, queue_get_from_container, struct k_queue *, unsigned int)

/* How they end, the port's arch_user_call_cleared(): a jump, so each has the type of the call. */
extern int32_t cleared_and(int32_t result) __asm__("arch_user_call_cleared");
extern void *cleared_and_item(void *item) __asm__("arch_user_call_cleared");

int quick_pop_empty(struct k_stack *stack, stack_data_t *data, k_timeout_t timeout)
{
	struct k_thread *current = k_cpu.current;

	if (likely(timeout.ticks == K_TICKS_FOREVER) && waits_shortly(&stack->wait_q, current) &&
	    likely(is_word_near(current, data))) {
		stack->limit = stack->base;
		return switched_and_stored(current, wait_shortly(&stack->wait_q, current), data);
	}
	return masked_stack_pop_masked(stack, data, timeout, NO_WORD, stack_pop_masked);
}

int32_t quick_queue_link(struct k_queue *queue, void *data, bool last)
{
	struct k_heap *heap = k_cpu.current->resource_pool;
	struct queue_container *container = NULL;

	if (likely(heap != NULL)) {
		container = heap_alloc_fast(&heap->heap, sizeof(*container));
	}
	if (unlikely(container == NULL)) {
		return masked_queue_link_container(queue, data, last, STILL_MASKED,
						   queue_link_container);
	}
	queue_link_filled(queue, container, data, heap, last);
	return cleared_and(0);
}

void *quick_queue_get(struct k_queue *queue)
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
	return cleared_and_item(data);
}
