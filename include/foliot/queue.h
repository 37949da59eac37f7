/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
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

/**
 * A queue. `head` holds the first item's address, with bit 0 set when it is a container.
 * `tailp` is where the next item is hooked in: &head when empty, so that appending is the
 * same to an empty queue.
 */
struct k_queue {
	_wait_q_t wait_q;
	uintptr_t head;
	uintptr_t *tailp;
	K_POLL_MEMBER
	K_OBJECT_MEMBER
};

/** A queue that gives the item that was put first. */
struct k_fifo {
	struct k_queue _queue;
	K_OBJ_CORE_MEMBER
};

/** A queue that gives the item that was put last. */
struct k_lifo {
	struct k_queue _queue;
	K_OBJ_CORE_MEMBER
};

/** What a k_queue is initialised with where it is defined by hand: empty. */
#define K_QUEUE_INITIALIZER(q) {WAIT_Q_INIT, 0, &(q).head K_POLL_INIT_ K_OBJECT_INIT_}
/** Define an empty queue, ready before any code runs; at file scope. */
#define K_QUEUE_DEFINE(name)   struct k_queue name = K_QUEUE_INITIALIZER(name)
/** Define an empty fifo likewise. */
#define K_FIFO_DEFINE(name)                                                       \
	struct k_fifo name = {K_QUEUE_INITIALIZER(name._queue) K_OBJ_CORE_INIT_}; \
	K_OBJ_CORE_STATIC_(name, fifo)
/** Define an empty lifo likewise. */
#define K_LIFO_DEFINE(name)                                                       \
	struct k_lifo name = {K_QUEUE_INITIALIZER(name._queue) K_OBJ_CORE_INIT_}; \
	K_OBJ_CORE_STATIC_(name, lifo)

/** Prepare an empty queue. Context: either. */
void k_queue_init(struct k_queue *queue);

/** Add at the tail, or wake the most urgent waiter, which gets the item. Context: either. */
void k_queue_append(struct k_queue *queue, void *item);
/** Add at the head, or wake the most urgent waiter, which gets the item. Context: either. */
void k_queue_prepend(struct k_queue *queue, void *item);

/**
 * Add behind `prev`, which is in the queue (NULL: at the head), or wake a waiter as above.
 * Context: either.
 */
void k_queue_insert(struct k_queue *queue, void *prev, void *item);

/**
 * Add any pointer at the tail, in a container from the caller's resource pool; a waiter
 * gets it without one.
 * Returns 0, or -ENOMEM when there is no pool or it is exhausted.
 * Context: thread (an ISR draws on the interrupted thread's pool).
 */
int32_t k_queue_alloc_append(struct k_queue *queue, void *data);

/**
 * The same at the head.
 * Returns 0, or -ENOMEM as above.
 * Context: thread (an ISR draws on the interrupted thread's pool).
 */
int32_t k_queue_alloc_prepend(struct k_queue *queue, void *data);

/**
 * Add a NULL-terminated chain of items linked by their first words, from `head` to `tail`;
 * as many waiters as there are items get one each.
 * Returns 0, or -EINVAL where either is NULL.
 * Context: either.
 */
int k_queue_append_list(struct k_queue *queue, void *head, void *tail);

/**
 * The same with a sys_slist_t (sys/slist.h), which is empty then.
 * Returns 0, or -EINVAL where it is empty already.
 * Context: either.
 */
#define k_queue_merge_slist(queue, list) \
	k_queue_merge_list_((queue), (void **)(void *)&(list)->head, (void **)(void *)&(list)->tail)
/** Internal: a list by its two ends. */
int k_queue_merge_list_(struct k_queue *queue, void **head, void **tail);

/**
 * Remove the first item; wait while there is none.
 * Returns the item (of an alloc variant: the pointer that was put); NULL: none came in
 * time, k_queue_cancel_wait(), or called from an ISR that would have had to wait (asserted:
 * blocking-call-in-isr).
 * Context: thread (ISR with K_NO_WAIT).
 */
void *k_queue_get(struct k_queue *queue, k_timeout_t timeout);

/** Remove one item, wherever it is: a traversal. Returns true if it was there. Context: either. */
bool k_queue_remove(struct k_queue *queue, void *item);
/** Append unless it is there: a traversal. Returns true if it was appended. Context: either. */
bool k_queue_unique_append(struct k_queue *queue, void *item);

/** Returns 1 when the queue is empty, else 0. Context: either. */
int k_queue_is_empty(struct k_queue *queue);
/** Returns the first item without removing it; NULL: there is none. Context: either. */
void *k_queue_peek_head(struct k_queue *queue);
/** Returns the last item without removing it, by a traversal; NULL: none. Context: either. */
void *k_queue_peek_tail(struct k_queue *queue);

/** Make the most urgent waiter's get return NULL. Context: either. */
void k_queue_cancel_wait(struct k_queue *queue);

#ifdef CONFIG_OBJ_CORE
/** Prepare an empty fifo. Context: either. */
void k_fifo_init(struct k_fifo *fifo);
/** Prepare an empty lifo. Context: either. */
void k_lifo_init(struct k_lifo *lifo);
#else
#define k_fifo_init(fifo) k_queue_init(&(fifo)->_queue)
#define k_lifo_init(lifo) k_queue_init(&(lifo)->_queue)
#endif

/** k_queue_append(). Context: either. */
#define k_fifo_put(fifo, item)       k_queue_append(&(fifo)->_queue, item)
/** k_queue_alloc_append(). Returns 0 or -ENOMEM. Context: thread. */
#define k_fifo_alloc_put(fifo, data) k_queue_alloc_append(&(fifo)->_queue, data)
/** k_queue_append_list(). Returns 0 or -EINVAL. Context: either. */
#define k_fifo_put_list(fifo, h, t)  k_queue_append_list(&(fifo)->_queue, h, t)
/** k_queue_merge_slist(). Returns 0 or -EINVAL. Context: either. */
#define k_fifo_put_slist(fifo, list) k_queue_merge_slist(&(fifo)->_queue, list)
/** k_queue_get(). Returns the item or NULL. Context: thread (ISR with K_NO_WAIT). */
#define k_fifo_get(fifo, timeout)    k_queue_get(&(fifo)->_queue, timeout)
/** k_queue_is_empty(). Returns 1 or 0. Context: either. */
#define k_fifo_is_empty(fifo)        k_queue_is_empty(&(fifo)->_queue)
/** k_queue_peek_head(). Returns the item or NULL. Context: either. */
#define k_fifo_peek_head(fifo)       k_queue_peek_head(&(fifo)->_queue)
/** k_queue_peek_tail(). Returns the item or NULL. Context: either. */
#define k_fifo_peek_tail(fifo)       k_queue_peek_tail(&(fifo)->_queue)
/** k_queue_cancel_wait(). Context: either. */
#define k_fifo_cancel_wait(fifo)     k_queue_cancel_wait(&(fifo)->_queue)

/** k_queue_prepend(). Context: either. */
#define k_lifo_put(lifo, item)       k_queue_prepend(&(lifo)->_queue, item)
/** k_queue_alloc_prepend(). Returns 0 or -ENOMEM. Context: thread. */
#define k_lifo_alloc_put(lifo, data) k_queue_alloc_prepend(&(lifo)->_queue, data)
/** k_queue_get(). Returns the item or NULL. Context: thread (ISR with K_NO_WAIT). */
#define k_lifo_get(lifo, timeout)    k_queue_get(&(lifo)->_queue, timeout)

#endif /* FOLIOT_QUEUE_H */
