/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Work queues: functions that a thread of the queue's calls, one after the other, in the order
 * in which they were submitted; at once or after a delay.
 *
 * A work item is in at most one queue, once, and may run at the same time: submitted anew while
 * it runs, it goes behind what is in the queue that runs it. So no item ever runs twice at once.
 * Who uses none of it carries none of it: the system's queue and its thread are linked in by what
 * refers to them.
 */
#ifndef FOLIOT_WORK_H
#define FOLIOT_WORK_H

#include <foliot/thread.h>
#include <foliot/time.h>
#include <foliot/wait_q.h>

struct k_work;
struct k_work_q;

/** What an item does. May wait, which keeps the queue's others waiting. Context: thread. */
typedef void (*k_work_handler_t)(struct k_work *work);

#define K_WORK_RUNNING_BIT   0 /**< the number of K_WORK_RUNNING */
#define K_WORK_CANCELING_BIT 1 /**< the number of K_WORK_CANCELING */
#define K_WORK_QUEUED_BIT    2 /**< the number of K_WORK_QUEUED */
#define K_WORK_DELAYED_BIT   3 /**< the number of K_WORK_DELAYED */
#define K_WORK_FLUSHING_BIT  4 /**< the number of K_WORK_FLUSHING */

/** What an item is about: k_work_busy_get(). */
enum k_work_busy {
	K_WORK_RUNNING = BIT(K_WORK_RUNNING_BIT),     /**< its handler is being called */
	K_WORK_CANCELING = BIT(
		K_WORK_CANCELING_BIT), /**< and it takes no submission until it ends */
	K_WORK_QUEUED = BIT(K_WORK_QUEUED_BIT),       /**< it is in a queue */
	K_WORK_DELAYED = BIT(K_WORK_DELAYED_BIT),     /**< its time has not come yet */
	K_WORK_FLUSHING = BIT(K_WORK_FLUSHING_BIT),   /**< a thread waits for its end */
};

/** A work item. */
struct k_work {
	struct k_work *next;  /* in its queue */
	struct k_work **link; /* what leads to it there */
	k_work_handler_t handler;
	struct k_work_q *queue; /* that it is in, or was in last */
	uint32_t flags;         /* enum k_work_busy */
};

/** A work item that is submitted after a time. */
struct k_work_delayable {
	struct k_work work;
	struct timeout timeout;
	struct k_work_q *queue; /* that it goes to */
	bool is_armed;          /* DELAYED, and not for ever */
};

/**
 * In Zephyr, memory for a call that waits; here nothing is kept in it, so that a thread that is
 * aborted meanwhile leaves nothing behind.
 */
struct k_work_sync {
	char unused; /**< nothing */
};

/** How a queue's thread is to be. */
struct k_work_queue_config {
	const char *name; /**< the thread's; NULL: none */
	bool no_yield;    /**< do not let equals run between two items */
	bool essential;   /**< its end is fatal to the system */
};

/** A work queue. */
struct k_work_q {
	struct k_thread thread;
	k_tid_t thread_id; /* `thread`, or who called k_work_queue_run() */
	struct k_work *head;
	struct k_work **tailp; /* where the next one is hooked in, if there is any */
	_wait_q_t idle;     /* its thread, while there is nothing to do */
	_wait_q_t drainers;
	_wait_q_t syncs;    /* who waits for an item's end */
	uint32_t flags;     /* WORK_QUEUE_* (kernel/work/work.h) */
};

/** What a k_work is initialised with. */
#define Z_WORK_INITIALIZER(work_handler) {.handler = (work_handler)}
/** What a k_work_delayable is initialised with. */
#define Z_WORK_DELAYABLE_INITIALIZER(work_handler)   \
	{                                            \
		.work = {.handler = (work_handler) } \
	}
/** Define a work item. */
#define K_WORK_DEFINE(work, work_handler) struct k_work work = Z_WORK_INITIALIZER(work_handler)
/** Define a work item that may be delayed. */
#define K_WORK_DELAYABLE_DEFINE(work, work_handler) \
	struct k_work_delayable work = Z_WORK_DELAYABLE_INITIALIZER(work_handler)

/** The system's queue: of priority CONFIG_SYSTEM_WORKQUEUE_PRIORITY, started before main(). */
extern struct k_work_q k_sys_work_q;

/** Prepare an item; not one that is busy. Context: either. */
void k_work_init(struct k_work *work, k_work_handler_t handler);

/** Returns what it is about, enum k_work_busy, 0 for nothing. Context: either. */
int k_work_busy_get(const struct k_work *work);

/** Returns whether it is about anything. Context: either. */
static inline bool k_work_is_pending(const struct k_work *work)
{
	return k_work_busy_get(work) != 0;
}

/**
 * Have `queue` call an item's handler (NULL: the queue that it was in last). One that is
 * initialised and has a handler (asserted: work-without-handler).
 * Returns 1: it was put in; 2: the same, but since it runs, into the queue that runs it; 0: it is
 * in a queue already; -EBUSY: it is being cancelled, or the queue is drained or plugged; -EINVAL:
 * no queue; -ENODEV: the queue is not started.
 * Context: either.
 */
int k_work_submit_to_queue(struct k_work_q *queue, struct k_work *work);

/** k_work_submit_to_queue() to the system's. Returns as it. Context: either. */
int k_work_submit(struct k_work *work);

/**
 * Wait until what was submitted of an item, or runs, has ended. Not in a handler of that item's
 * queue, which would never end (asserted: work-waits-for-itself).
 * Returns whether it had to wait.
 * Context: thread (asserted: work-wait-in-isr).
 */
bool k_work_flush(struct k_work *work, struct k_work_sync *sync);

/**
 * Take an item out of its queue. If it runs, it is to be the last time: until its handler returns
 * nobody can submit it.
 * Returns what it still is about, 0 for nothing.
 * Context: either.
 */
int k_work_cancel(struct k_work *work);

/**
 * The same, and wait until it does not run. Not in a handler of its queue (asserted:
 * work-waits-for-itself).
 * Returns whether it was about anything before.
 * Context: thread (asserted: work-wait-in-isr).
 */
bool k_work_cancel_sync(struct k_work *work, struct k_work_sync *sync);

/* ---- queues ---- */

/** Prepare a queue, not started. Context: either. */
void k_work_queue_init(struct k_work_q *queue);

/**
 * Start a queue's thread, on `stack` of `stack_size` bytes, at priority `prio`; `cfg` may be NULL.
 * The queue's memory is zero, or k_work_queue_init() has been called, or it was stopped (asserted:
 * work-queue-started-twice).
 * Context: thread.
 */
void k_work_queue_start(struct k_work_q *queue, k_thread_stack_t *stack, size_t stack_size,
			int prio, const struct k_work_queue_config *cfg);

/** Be the thread of a queue, until it is stopped. Context: thread. */
void k_work_queue_run(struct k_work_q *queue, const struct k_work_queue_config *cfg);

/** Returns a queue's thread. Context: either. */
static inline k_tid_t k_work_queue_thread_get(struct k_work_q *queue)
{
	return queue->thread_id;
}

/**
 * Wait until a queue is empty and does nothing; meanwhile only its own handlers may submit. With
 * `plug` nobody may afterwards, until k_work_queue_unplug().
 * Returns 1: it waited; 0: it need not; -EAGAIN: called in an ISR (asserted: work-wait-in-isr).
 * Context: thread.
 */
int k_work_queue_drain(struct k_work_q *queue, bool plug);

/** Let items in again. Returns 0, or -EALREADY: it is not plugged. Context: either. */
int k_work_queue_unplug(struct k_work_q *queue);

/**
 * End the thread of a queue that is plugged.
 * Returns 0; -EALREADY: not started; -EBUSY: not plugged; -ETIMEDOUT: a handler did not end in
 * time.
 * Context: thread.
 */
int k_work_queue_stop(struct k_work_q *queue, k_timeout_t timeout);

/* ---- after a delay ---- */

/** Prepare an item; not one that is busy. Context: either. */
void k_work_init_delayable(struct k_work_delayable *dwork, k_work_handler_t handler);

/** Returns the item that a handler was given, as the one it is part of. Context: either. */
static inline struct k_work_delayable *k_work_delayable_from_work(struct k_work *work)
{
	return CONTAINER_OF(work, struct k_work_delayable, work);
}

/** Returns what it is about, enum k_work_busy, 0 for nothing. Context: either. */
int k_work_delayable_busy_get(const struct k_work_delayable *dwork);

/** Returns whether it is about anything. Context: either. */
static inline bool k_work_delayable_is_pending(const struct k_work_delayable *dwork)
{
	return k_work_delayable_busy_get(dwork) != 0;
}

/**
 * When it will be submitted.
 * Returns the uptime tick; that of now where it is not delayed.
 * Context: either.
 */
k_ticks_t k_work_delayable_expires_get(const struct k_work_delayable *dwork);

/** Returns the ticks until then; 0 where it is not delayed. Context: either. */
k_ticks_t k_work_delayable_remaining_get(const struct k_work_delayable *dwork);

/**
 * Submit an item to `queue` (NULL: the queue that it was in last) after `delay`, unless it is
 * delayed or in a queue already, or being cancelled.
 * Returns 0 then; 1: it is delayed, or, with K_NO_WAIT, was put in; else as
 * k_work_submit_to_queue(). When its time comes and the queue does not take it, nothing happens.
 * Context: either.
 */
int k_work_schedule_for_queue(struct k_work_q *queue, struct k_work_delayable *dwork,
			      k_timeout_t delay);
/** k_work_schedule_for_queue() for the system's. Returns as it. Context: either. */
int k_work_schedule(struct k_work_delayable *dwork, k_timeout_t delay);

/**
 * The same, and a delay that has begun begins anew.
 * Returns 1: it is delayed; with K_NO_WAIT as k_work_submit_to_queue().
 * Context: either.
 */
int k_work_reschedule_for_queue(struct k_work_q *queue, struct k_work_delayable *dwork,
				k_timeout_t delay);
/** k_work_reschedule_for_queue() for the system's. Returns as it. Context: either. */
int k_work_reschedule(struct k_work_delayable *dwork, k_timeout_t delay);

/**
 * Submit an item now if it is delayed, and wait as k_work_flush() does.
 * Returns whether it had to wait.
 * Context: thread (asserted: work-wait-in-isr).
 */
bool k_work_flush_delayable(struct k_work_delayable *dwork, struct k_work_sync *sync);

/** k_work_cancel(), and its delay ends. Returns what it still is about. Context: either. */
int k_work_cancel_delayable(struct k_work_delayable *dwork);

/**
 * k_work_cancel_sync() likewise.
 * Returns whether it was about anything before.
 * Context: thread (asserted: work-wait-in-isr).
 */
bool k_work_cancel_delayable_sync(struct k_work_delayable *dwork, struct k_work_sync *sync);

#endif /* FOLIOT_WORK_H */
