/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queues of caller-owned items: k_queue, and its two faces k_fifo and k_lifo.
 *
 * The first word of an item belongs to the queue while the item is in it, and items
 * are word-aligned. The alloc variants take any pointer: they draw a small container
 * from the calling thread's resource pool, and the getter frees it.
 */
#ifndef FOLIOT_QUEUE_H
#define FOLIOT_QUEUE_H

#include <foliot/time.h>
#include <foliot/obj_core.h>
#include <foliot/wait_q.h>

/*
 * head holds the first item's address with bit 0 set when it is a container. tailp
 * is where the next item is hooked in: &head when empty, which makes appending free
 * of a case distinction.
 */
struct k_queue {
	_wait_q_t wait_q;
	uintptr_t head;
	uintptr_t *tailp;
};

struct k_fifo {
	struct k_queue _queue;
	K_OBJ_CORE_MEMBER
};

struct k_lifo {
	struct k_queue _queue;
	K_OBJ_CORE_MEMBER
};

#define K_QUEUE_INITIALIZER(q) {WAIT_Q_INIT, 0, &(q).head}
#define K_QUEUE_DEFINE(name)   struct k_queue name = K_QUEUE_INITIALIZER(name)
#define K_FIFO_DEFINE(name)                                                       \
	struct k_fifo name = {K_QUEUE_INITIALIZER(name._queue) K_OBJ_CORE_INIT_}; \
	K_OBJ_CORE_STATIC_(name, fifo)
#define K_LIFO_DEFINE(name)                                                       \
	struct k_lifo name = {K_QUEUE_INITIALIZER(name._queue) K_OBJ_CORE_INIT_}; \
	K_OBJ_CORE_STATIC_(name, lifo)

/* Context: either. */
void k_queue_init(struct k_queue *queue);

/* Add at the tail, or at the head; wakes a waiter, which gets the item. Context: either. */
void k_queue_append(struct k_queue *queue, void *item);
void k_queue_prepend(struct k_queue *queue, void *item);
/* Add behind `prev`, which is in the queue (NULL: at the head). Context: either. */
void k_queue_insert(struct k_queue *queue, void *prev, void *item);

/*
 * Add any pointer, in a container from the caller's resource pool. Returns 0, or
 * -ENOMEM when there is no pool or it is exhausted. Context: thread (an ISR draws
 * on the interrupted thread's pool).
 */
int32_t k_queue_alloc_append(struct k_queue *queue, void *data);
int32_t k_queue_alloc_prepend(struct k_queue *queue, void *data);

/*
 * Add a NULL-terminated chain of items linked by their first words. Returns 0, or
 * -EINVAL for an empty chain. Context: either.
 */
int k_queue_append_list(struct k_queue *queue, void *head, void *tail);

/*
 * Remove and return the first item; NULL: none came in time, or k_queue_cancel_wait().
 * Context: thread (ISR with K_NO_WAIT).
 */
void *k_queue_get(struct k_queue *queue, k_timeout_t timeout);

/* Remove one item from the middle; true if it was there. A walk. Context: either. */
bool k_queue_remove(struct k_queue *queue, void *item);
/* Append unless it is there already; true if appended. A walk. Context: either. */
bool k_queue_unique_append(struct k_queue *queue, void *item);

/* Nonzero when empty; first and last item without removing them. Context: either. */
int k_queue_is_empty(struct k_queue *queue);
void *k_queue_peek_head(struct k_queue *queue);
void *k_queue_peek_tail(struct k_queue *queue);

/* Make the most urgent waiter's get return NULL. Context: either. */
void k_queue_cancel_wait(struct k_queue *queue);

#ifdef CONFIG_OBJ_CORE
void k_fifo_init(struct k_fifo *fifo);
void k_lifo_init(struct k_lifo *lifo);
#else
#define k_fifo_init(fifo) k_queue_init(&(fifo)->_queue)
#define k_lifo_init(lifo) k_queue_init(&(lifo)->_queue)
#endif

#define k_fifo_put(fifo, item)       k_queue_append(&(fifo)->_queue, item)
#define k_fifo_alloc_put(fifo, data) k_queue_alloc_append(&(fifo)->_queue, data)
#define k_fifo_put_list(fifo, h, t)  k_queue_append_list(&(fifo)->_queue, h, t)
#define k_fifo_get(fifo, timeout)    k_queue_get(&(fifo)->_queue, timeout)
#define k_fifo_is_empty(fifo)        k_queue_is_empty(&(fifo)->_queue)
#define k_fifo_peek_head(fifo)       k_queue_peek_head(&(fifo)->_queue)
#define k_fifo_peek_tail(fifo)       k_queue_peek_tail(&(fifo)->_queue)
#define k_fifo_cancel_wait(fifo)     k_queue_cancel_wait(&(fifo)->_queue)

#define k_lifo_put(lifo, item)       k_queue_prepend(&(lifo)->_queue, item)
#define k_lifo_alloc_put(lifo, data) k_queue_alloc_prepend(&(lifo)->_queue, data)
#define k_lifo_get(lifo, timeout)    k_queue_get(&(lifo)->_queue, timeout)

#endif /* FOLIOT_QUEUE_H */
