/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Work queues of user threads (CONFIG_USERSPACE): a queue, and a user thread that calls the
 * handlers of what is put there. Items lie in the application's memory; who submits has access to
 * the work queue's `queue`, and a resource pool, out of which each item on its way takes a
 * container.
 */
#ifndef FOLIOT_WORK_USER_H
#define FOLIOT_WORK_USER_H

#include <foliot/queue.h>
#include <foliot/thread.h>
#include <zephyr/sys/atomic.h>

#ifdef CONFIG_USERSPACE

struct k_work_user;

/** What an item does, in user mode. Context: thread. */
typedef void (*k_work_user_handler_t)(struct k_work_user *work);

/** Bits of k_work_user.flags. */
enum {
	K_WORK_USER_STATE_PENDING, /**< it is in a queue */
};

/** A work item. */
struct k_work_user {
	k_work_user_handler_t handler; /**< called by the work queue's thread */
	atomic_t flags; /* BIT(K_WORK_USER_STATE_PENDING) */
};

/** A work queue. */
struct k_work_user_q {
	struct k_queue queue; /**< for k_object_access_grant() */
	struct k_thread thread; /**< the same, for who may end it */
};

/** What a k_work_user is initialised with. */
#define Z_WORK_USER_INITIALIZER(work_handler) {(work_handler), 0}
/** Define an item; in a partition, by K_APP_DMEM() in front. */
#define K_WORK_USER_DEFINE(work, work_handler) \
	struct k_work_user work = Z_WORK_USER_INITIALIZER(work_handler)

/** Prepare an item, which is in no queue. Context: either. */
static inline void k_work_user_init(struct k_work_user *work, k_work_user_handler_t handler)
{
	work->handler = handler;
	work->flags = 0;
}

/** Returns whether it is in a queue. Context: either. */
static inline bool k_work_user_is_pending(struct k_work_user *work)
{
	return atomic_test_bit(&work->flags, K_WORK_USER_STATE_PENDING);
}

/**
 * Have a queue's thread call an item's handler, which may submit it anew.
 * Returns 0; -EBUSY: it is in a queue already; -ENOMEM: no resource pool, or exhausted.
 * Context: either.
 */
int k_work_user_submit_to_queue(struct k_work_user_q *work_q, struct k_work_user *work);

/**
 * Start a queue's thread, a user thread on `stack` of `stack_size` bytes at priority `prio`, with
 * the caller's domain and all that the caller has access to; `name` may be NULL. Kernel threads
 * only.
 * Context: thread.
 */
void k_work_user_queue_start(struct k_work_user_q *work_q, k_thread_stack_t *stack,
			     size_t stack_size, int prio, const char *name);

/** Returns a queue's thread. Context: either. */
static inline k_tid_t k_work_user_queue_thread_get(struct k_work_user_q *work_q)
{
	return &work_q->thread;
}

#endif /* CONFIG_USERSPACE */

#endif /* FOLIOT_WORK_USER_H */
