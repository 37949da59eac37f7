/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Waiting for one of several objects (CONFIG_POLL): semaphores, queues, message queues, pipes, and
 * signals, which are for that alone.
 *
 * An object that has something for a thread that waits in a call of its own gives it to that one;
 * else it tells the most urgent one that polls it, the first among equals, and only that one. What
 * it was told of it has to take by a call that does not wait, and may find it gone. User threads
 * poll up to CONFIG_POLL_USER_EVENTS events at once; work items that poll are the kernel's.
 */
#ifndef FOLIOT_POLL_H
#define FOLIOT_POLL_H

#include <foliot/thread.h>
#include <foliot/wait_q.h>
#include <foliot/work.h>

#ifdef CONFIG_POLL

struct k_sem;
struct k_fifo;
struct k_queue;
struct k_msgq;
struct k_pipe;
struct k_poll_signal;
struct k_poller;

#define K_POLL_TYPE_IGNORE              0U     /**< the event is passed over */
#define K_POLL_TYPE_SIGNAL              BIT(0) /**< a signal that is raised */
#define K_POLL_TYPE_SEM_AVAILABLE       BIT(1) /**< a semaphore with a token */
#define K_POLL_TYPE_DATA_AVAILABLE      BIT(2) /**< a queue with an item */
#define K_POLL_TYPE_FIFO_DATA_AVAILABLE K_POLL_TYPE_DATA_AVAILABLE /**< a fifo, or lifo, with one */
#define K_POLL_TYPE_MSGQ_DATA_AVAILABLE BIT(3) /**< a message queue with a message */
#define K_POLL_TYPE_PIPE_DATA_AVAILABLE BIT(4) /**< a pipe with a byte */

#define K_POLL_STATE_NOT_READY           0U /**< nothing has happened yet */
#define K_POLL_STATE_SIGNALED            BIT(0) /**< see K_POLL_TYPE_SIGNAL */
#define K_POLL_STATE_SEM_AVAILABLE       BIT(1) /**< see K_POLL_TYPE_SEM_AVAILABLE */
#define K_POLL_STATE_DATA_AVAILABLE      BIT(2) /**< see K_POLL_TYPE_DATA_AVAILABLE */
#define K_POLL_STATE_FIFO_DATA_AVAILABLE K_POLL_STATE_DATA_AVAILABLE /**< the same */
#define K_POLL_STATE_MSGQ_DATA_AVAILABLE BIT(3) /**< see K_POLL_TYPE_MSGQ_DATA_AVAILABLE */
#define K_POLL_STATE_PIPE_DATA_AVAILABLE BIT(4) /**< see K_POLL_TYPE_PIPE_DATA_AVAILABLE */
#define K_POLL_STATE_CANCELLED           BIT(5) /**< k_queue_cancel_wait() */

/** How an event is told. */
enum k_poll_modes {
	K_POLL_MODE_NOTIFY_ONLY = 0, /**< nothing is taken from the object */
	K_POLL_NUM_MODES, /**< how many there are */
};

/** One object of those that are waited for. */
struct k_poll_event {
	struct k_poll_event *next, *prev; /* of those at the object, in a ring, by priority */
	struct k_poll_event **pollers; /* what leads to the first there; NULL: it is not there */
	struct k_poller *poller;
	uint8_t tag; /**< the user's own */
	uint8_t type; /**< K_POLL_TYPE_* */
	uint8_t state; /**< K_POLL_STATE_*: the user sets it back before the next k_poll() */
	uint8_t mode; /**< enum k_poll_modes */
	union {
		void *obj;
		struct k_poll_signal *signal;
		struct k_sem *sem;
		struct k_fifo *fifo;
		struct k_queue *queue;
		struct k_msgq *msgq;
		struct k_pipe *pipe;
	}; /**< the object */
};

/** What a k_poll_event is initialised with. */
#define K_POLL_EVENT_STATIC_INITIALIZER(event_type, event_mode, event_obj, event_tag) \
	{                                                                             \
		.tag = (event_tag),                                                   \
		.type = (event_type),                                                 \
		.state = K_POLL_STATE_NOT_READY,                                      \
		.mode = (event_mode),                                                 \
		.obj = (event_obj),                                                   \
	}
/** The same without a tag. */
#define K_POLL_EVENT_INITIALIZER(event_type, event_mode, event_obj) \
	{                                                           \
		.type = (event_type),                               \
		.state = K_POLL_STATE_NOT_READY,                    \
		.mode = (event_mode),                               \
		.obj = (event_obj),                                 \
	}

/** A signal: raised until somebody resets it, with a number. */
struct k_poll_signal {
	K_POLL_MEMBER
	unsigned int signaled; /**< 1: it is raised */
	int result; /**< the number */
	K_OBJECT_MEMBER
};

/** What a k_poll_signal is initialised with where it is defined by hand. */
#define K_POLL_SIGNAL_INITIALIZER(obj) {NULL, 0U, 0 K_OBJECT_INIT_}

/** Prepare an event of `type` (K_POLL_TYPE_*) of `obj`. Context: either. */
static inline void k_poll_event_init(struct k_poll_event *event, uint32_t type, int mode, void *obj)
{
	*event = (struct k_poll_event){};
	event->type = (uint8_t)type;
	event->mode = (uint8_t)mode;
	event->obj = obj;
}

/**
 * Wait until one of the events has come; all that are ready when it returns are found by their
 * `state`, which the caller sets back before the next call.
 * Returns 0; -EAGAIN: none came in time, or called from an ISR that would have had to wait
 * (asserted: blocking-call-in-isr); -EINTR: a queue's wait was cancelled. By a user thread:
 * -EINVAL: fewer than none, a type or mode that there is not; -ENOMEM: more than
 * CONFIG_POLL_USER_EVENTS.
 * Context: thread (ISR with K_NO_WAIT).
 */
int k_poll(struct k_poll_event *events, int num_events, k_timeout_t timeout);

/** Prepare a signal, not raised. Context: either. */
void k_poll_signal_init(struct k_poll_signal *sig);
/** Take it back. Context: either. */
void k_poll_signal_reset(struct k_poll_signal *sig);
/** Tell whether it is raised, and with which number. Context: either. */
void k_poll_signal_check(struct k_poll_signal *sig, unsigned int *signaled, int *result);

/**
 * Raise it, and tell the first that polls it.
 * Returns 0.
 * Context: either.
 */
int k_poll_signal_raise(struct k_poll_signal *sig, int result);

/** Internal: who waits for events, a thread or a work item. */
struct k_poller {
	struct k_poll_event *events;
	int num_events;
	int num_begun; /* looked at, and not left yet: only these may be in a list */
	int prio;
	bool is_polling; /* nothing has come yet */
	void (*tell)(struct k_poller *poller, int result); /* interrupts masked */
	struct k_poll_event *event; /* on its way to its place; or that it was told of */
};

/** A work item that is submitted when an event has come. */
struct k_work_poll {
	struct k_work work;
	struct k_poller poller;
	k_work_handler_t handler;
	struct k_work_q *queue; /* where it goes; NULL: it is not waiting, queued or about to run */
	struct timeout timeout;
	bool is_armed;
	int poll_result; /**< for the handler: 0, -EAGAIN: the time is over, -EINTR: cancelled */
};

/** Prepare an item. Context: either. */
void k_work_poll_init(struct k_work_poll *work, k_work_handler_t handler);

/**
 * Submit an item to `queue` when one of the events has come, or the time is over; at once, where
 * one has. One that still waits is taken back first. The events have to stay until then.
 * Returns 0, also where none has come and K_NO_WAIT was given: its poll_result is -EAGAIN then.
 * -EINVAL: it is in a queue; -EADDRINUSE: it waits for another queue; else as
 * k_work_submit_to_queue().
 * Context: either.
 */
int k_work_poll_submit_to_queue(struct k_work_q *queue, struct k_work_poll *work,
				struct k_poll_event *events, int num_events, k_timeout_t timeout);

/** k_work_poll_submit_to_queue() for the system's. Returns as it. Context: either. */
int k_work_poll_submit(struct k_work_poll *work, struct k_poll_event *events, int num_events,
		       k_timeout_t timeout);

/**
 * Take an item back that waits for its events.
 * Returns 0, or -EINVAL: it does not, or is NULL.
 * Context: either.
 */
int k_work_poll_cancel(struct k_work_poll *work);

#endif /* CONFIG_POLL */

#endif /* FOLIOT_POLL_H */
