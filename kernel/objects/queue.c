/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queues. An item handed to a waiter never enters the list, and a container is not
 * allocated for it either.
 *
 * A link is the address of the next item, with bit 0 set where that item is a
 * container of ours: getting needs no look into the item to know.
 */
#include "kernel/memory/heap.h"
#include "kernel/hooks/user.h"
#include "kernel/objects/operation.h"
#include "kernel/objects/queue_link.h"

static void *item_data(uintptr_t tagged)
{
	return (tagged & QUEUE_CONTAINER_TAG) != 0
		       ? ((struct queue_container *)queue_item_link(tagged))->data
		       : (void *)tagged;
}

void k_queue_init(struct k_queue *queue)
{
	user_init_begin(queue);
	queue->head = 0;
	queue->tailp = &queue->head;
	queue->wait_q.head = NULL;
	poll_init(queue);
	user_init_end(queue);
}

static __noinline void hand_over(struct k_queue *queue, void *item, unsigned int key)
{
	K_ASSERT(((queue->wait_q.head->state & K_THREAD_STOOD_ON) |
		  queue->wait_q.head->wait_flags) == 0,
		 "traversal-of-a-queue");
	(void)sched_wake_first_inline(&queue->wait_q, queue->wait_q.head, (intptr_t)item, key);
}

void k_queue_append(struct k_queue *queue, void *item)
{
	unsigned int key = arch_irq_lock();

	if (unlikely(queue->wait_q.head != NULL)) {
		hand_over(queue, item, key);
		return;
	}
	queue_link_last(queue, item, (uintptr_t)item);
	poll_unlock(queue, K_POLL_STATE_DATA_AVAILABLE, key);
}

void k_queue_prepend(struct k_queue *queue, void *item)
{
	unsigned int key = arch_irq_lock();

	if (unlikely(queue->wait_q.head != NULL)) {
		hand_over(queue, item, key);
		return;
	}
	queue_link_behind(queue, &queue->head, item, (uintptr_t)item);
	poll_unlock(queue, K_POLL_STATE_DATA_AVAILABLE, key);
}

void k_queue_insert(struct k_queue *queue, void *prev, void *item)
{
	unsigned int key = arch_irq_lock();

	if (queue->wait_q.head != NULL) {
		hand_over(queue, item, key);
		return;
	}
	queue_link_behind(queue, prev == NULL ? &queue->head : (uintptr_t *)prev, item,
			  (uintptr_t)item);
	poll_unlock(queue, K_POLL_STATE_DATA_AVAILABLE, key);
}

/*
 * Masked from the allocation to the link, and below from the link to the release, so that a thread
 * that is aborted in between takes no container along; either is constant time. Restores key.
 */
__noinline int32_t queue_link_container(struct k_queue *queue, void *data, bool last,
					unsigned int key)
{
	struct k_heap *heap = k_cpu.current->resource_pool;
	struct queue_container *container = NULL;

	if (heap != NULL) {
		container = heap_take(heap, sizeof(*container));
	}
	if (container == NULL) {
		arch_irq_unlock(key);
		return -ENOMEM;
	}
	queue_link_filled(queue, container, data, heap, last);
	poll_unlock(queue, K_POLL_STATE_DATA_AVAILABLE, key);
	return 0;
}

static __noinline int32_t hand_over_data(struct k_queue *queue, void *data, unsigned int key)
{
	K_ASSERT(((queue->wait_q.head->state & K_THREAD_STOOD_ON) |
		  queue->wait_q.head->wait_flags) == 0,
		 "traversal-of-a-queue");
	k_cpu.current->wake_value = 0;
	return (int32_t)sched_wake_first_inline(&queue->wait_q, queue->wait_q.head, (intptr_t)data,
						key);
}

int k_queue_append_list(struct k_queue *queue, void *head, void *tail)
{
	uintptr_t item = (uintptr_t)head;
	unsigned int key;

	if (head == NULL || tail == NULL) {
		return -EINVAL;
	}
	key = arch_irq_lock();
	sched_traversal_waking(&queue->wait_q, key);
	/* Bound: W * (D + 1), the waiters; interrupts are let in after each. */
	while (item != 0 && queue->wait_q.head != NULL) {
		uintptr_t next = *(uintptr_t *)item;

		sched_wake(queue->wait_q.head, (intptr_t)item);
		item = next;
		sched_traversal_window(key);
	}
	if (item != 0) {
		*queue->tailp = item;
		queue->tailp = tail;
		poll_available(queue, K_POLL_STATE_DATA_AVAILABLE);
	}
	sched_traversal_end(key);
	return 0;
}

int k_queue_merge_list_(struct k_queue *queue, void **head, void **tail)
{
	int result = k_queue_append_list(queue, *head, *tail);

	*head = NULL;
	*tail = NULL;
	return result;
}

__noinline void *queue_get_from_container(struct k_queue *queue, unsigned int key)
{
	struct queue_container *container = (struct queue_container *)queue_item_link(queue->head);
	void *data = container->data;

	queue_unlink_first(queue, queue_behind_container(container));
	return heap_give_back(container->heap, container, key, data);
}

static __noinline void *get_first(struct k_queue *queue, unsigned int key)
{
	const uintptr_t tagged = queue->head;

	sched_disarm();
	if ((tagged & QUEUE_CONTAINER_TAG) != 0) {
		return queue_get_from_container(queue, key);
	}
	queue_unlink_first(queue, *(uintptr_t *)tagged);
	arch_irq_unlock(key);
	return (void *)tagged;
}

static __noinline void *get_timed(struct k_queue *queue, k_timeout_t timeout, unsigned int key)
{
	/* Bound: D, one was appended in a window. */
	if (sched_arm_first(timeout, 0, key) && queue->head != 0) {
		return get_first(queue, key);
	}
	return (void *)sched_pend_timed(&queue->wait_q, timeout, key, 0);
}

static __noinline void *get_blocking(struct k_queue *queue, k_timeout_t timeout, unsigned int key)
{
	if (timeout.ticks == 0) {
		arch_irq_unlock(key);
		return NULL;
	}
	if (ARMS_FIRST && timeout.ticks != K_TICKS_FOREVER) {
		return get_timed(queue, timeout, key);
	}
	return (void *)sched_pend_inline(&queue->wait_q, timeout, key, 0);
}

#define LINK_DATA(queue, data, last) queue_link_container(queue, data, last, key)
#define WAKE(...)                    hand_over_data(queue, data, key)
#define WAIT(...)                    (intptr_t)get_blocking(queue, timeout, key)
#define GET_FROM_CONTAINER(queue)    (intptr_t)queue_get_from_container(queue, key)
#include "kernel/objects/queue_ops.h"

/*
 * The link that leads to `item`, or NULL; and what it is where nothing follows. Masked throughout,
 * since nothing tells of items that go meanwhile: for kernel code alone. Bound: O, the items in
 * the queue.
 */
static uintptr_t *find_link(struct k_queue *queue, const void *item, uintptr_t *last)
{
	uintptr_t *link = &queue->head;

	*last = 0;
	while (*link > QUEUE_CONTAINER_LAST) {
		if (*link == (uintptr_t)item) {
			return link;
		}
		*last = *link & QUEUE_CONTAINER_TAG;
		link = queue_item_link(*link);
	}
	return NULL;
}

bool k_queue_remove(struct k_queue *queue, void *item)
{
	unsigned int key = arch_irq_lock();
	uintptr_t last;
	uintptr_t *link = find_link(queue, item, &last);

	if (link != NULL) {
		*link = *(uintptr_t *)item;
		if (*link == 0) {
			*link = last;
			queue->tailp = link;
		}
	}
	arch_irq_unlock(key);
	return link != NULL;
}

bool k_queue_unique_append(struct k_queue *queue, void *item)
{
	unsigned int key = arch_irq_lock();
	uintptr_t last;
	bool absent = find_link(queue, item, &last) == NULL;

	if (absent) {
		k_queue_append(queue, item);
		sched_reschedule(key);
	} else {
		arch_irq_unlock(key);
	}
	return absent;
}

int k_queue_is_empty(struct k_queue *queue)
{
	return *(volatile uintptr_t *)&queue->head == 0;
}

void *k_queue_peek_head(struct k_queue *queue)
{
	unsigned int key = arch_irq_lock();
	void *data = queue->head == 0 ? NULL : item_data(queue->head);

	arch_irq_unlock(key);
	return data;
}

void *k_queue_peek_tail(struct k_queue *queue)
{
	unsigned int key = arch_irq_lock();
	void *data = NULL;

	if (queue->head != 0) {
		data = item_data((uintptr_t)queue->tailp | (*queue->tailp & QUEUE_CONTAINER_TAG));
	}
	arch_irq_unlock(key);
	return data;
}

void k_queue_cancel_wait(struct k_queue *queue)
{
	unsigned int key = arch_irq_lock();

	if (queue->wait_q.head != NULL) {
		sched_wake(queue->wait_q.head, 0);
	}
	poll_available(queue, K_POLL_STATE_CANCELLED);
	sched_reschedule(key);
}
