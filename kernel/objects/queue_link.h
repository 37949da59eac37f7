/* SPDX-License-Identifier: Apache-2.0 */
/* How a queue's items are linked, for who has interrupts masked: queue.c, and user mode's calls. */
#ifndef FOLIOT_KERNEL_OBJECTS_QUEUE_LINK_H
#define FOLIOT_KERNEL_OBJECTS_QUEUE_LINK_H

#include "kernel/core/kernel.h"
#include "kernel/objects/masked.h"

/* An item of whoever does not lend the queue a word of its own. */
struct queue_container {
	uintptr_t next; /* first, as in every item */
	void *data;
	struct k_heap *heap;
};

static inline uintptr_t *queue_item_link(uintptr_t tagged)
{
	return (uintptr_t *)(tagged & ~(uintptr_t)QUEUE_CONTAINER_TAG);
}

/* `tagged` is what leads to the item whose first word is *link. */
static inline void queue_link_last(struct k_queue *queue, uintptr_t *link, uintptr_t tagged)
{
	*link = 0;
	*queue->tailp = tagged;
	queue->tailp = link;
}

static inline void queue_link_behind(struct k_queue *queue, uintptr_t *where, uintptr_t *link,
				     uintptr_t tagged)
{
	uintptr_t next = *where;

	*link = next;
	*where = tagged;
	if (next == 0) {
		queue->tailp = link;
	}
}

/* What was allocated becomes an item, the last or the first. */
static inline void queue_link_filled(struct k_queue *queue, struct queue_container *container,
				     void *data, struct k_heap *heap, bool last)
{
	uintptr_t tagged = (uintptr_t)container | QUEUE_CONTAINER_TAG;

	container->data = data;
	container->heap = heap;
	if (last) {
		queue_link_last(queue, &container->next, tagged);
	} else {
		queue_link_behind(queue, &queue->head, &container->next, tagged);
	}
}

/* The first item goes; `next` stood in its first word. */
static inline void queue_unlink_first(struct k_queue *queue, uintptr_t next)
{
	OPAQUE(next);
	queue->head = next;
	if (unlikely(next == 0)) {
		queue->tailp = &queue->head;
	}
}

#endif /* FOLIOT_KERNEL_OBJECTS_QUEUE_LINK_H */
