/* SPDX-License-Identifier: Apache-2.0 */
/* How a queue's items are linked, for who has interrupts masked: queue.c, and user mode's calls. */
#ifndef FOLIOT_KERNEL_OBJECTS_QUEUE_LINK_H
#define FOLIOT_KERNEL_OBJECTS_QUEUE_LINK_H

#include "kernel/base/kernel.h"

#define QUEUE_CONTAINER_TAG  1U /* of k_queue.head: the item is a container of the queue's own */
#define QUEUE_CONTAINER_LAST QUEUE_CONTAINER_TAG /* a tag without an item */

/*
 * An item of whoever does not lend the queue a word of its own. Where it is the last its link says
 * so, and thereby that it is a container: of all others the link that leads to them does.
 */
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
/*@ requires \valid(queue) && \valid(link) && \valid(queue->tailp);
  @ requires \separated(link, queue->tailp, &queue->tailp);
  @ assigns *link, *queue->tailp, queue->tailp;
  @ ensures *link == 0 && *\old(queue->tailp) == tagged && queue->tailp == link;
  @*/
static inline void queue_link_last(struct k_queue *queue, uintptr_t *link, uintptr_t tagged)
{
	*link = 0;
	*queue->tailp = tagged;
	queue->tailp = link;
}

/*@ requires \valid(queue) && \valid(where) && \valid(link);
  @ requires \separated(link, where, &queue->tailp);
  @ assigns *link, *where, queue->tailp;
  @ ensures *where == tagged && *link == \old(*where);
  @ ensures queue->tailp == (\old(*where) == 0 ? link : \old(queue->tailp));
  @*/
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
		container->next = QUEUE_CONTAINER_LAST;
		*queue->tailp = tagged;
		queue->tailp = &container->next;
	} else {
		uintptr_t next = queue->head;

		queue->head = tagged;
		if (likely(next == 0)) {
			queue->tailp = &container->next;
			next = QUEUE_CONTAINER_LAST;
		}
		container->next = next;
	}
}

/* What follows a container that is the first, as queue_unlink_first() has it. */
/*@ requires \valid_read(container);
  @ assigns \nothing;
  @ ensures \result == (container->next == QUEUE_CONTAINER_LAST ? 0 : container->next);
  @*/
static inline uintptr_t queue_behind_container(const struct queue_container *container)
{
	return container->next == QUEUE_CONTAINER_LAST ? 0 : container->next;
}

/* The first item goes; `next` stood in its first word. */
/*@ requires \valid(queue);
  @ assigns queue->head, queue->tailp;
  @ ensures queue->head == next;
  @ ensures queue->tailp == (next == 0 ? &queue->head : \old(queue->tailp));
  @*/
static inline void queue_unlink_first(struct k_queue *queue, uintptr_t next)
{
	OPAQUE(next);
	queue->head = next;
	if (unlikely(next == 0)) {
		queue->tailp = &queue->head;
	}
}

/*
 * queue.c's: nobody waits; the first item is a container. With the key of who was masked before the
 * former switches to nobody, where nobody polls.
 */
int32_t queue_link_container(struct k_queue *queue, void *data, bool last, unsigned int key);
void *queue_get_from_container(struct k_queue *queue, unsigned int key);

#endif /* FOLIOT_KERNEL_OBJECTS_QUEUE_LINK_H */
