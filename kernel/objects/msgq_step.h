/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A message on its way: what is done in a step, by whoever runs. msgq_copy.c says why, and has the
 * calls. `key` is that of the caller's call, and interrupts are masked throughout.
 */
#ifndef FOLIOT_KERNEL_MSGQ_STEP_H
#define FOLIOT_KERNEL_MSGQ_STEP_H

#include "kernel/hooks/user.h"
#include "kernel/sched/sched.h"

#define MSGQ_STEP ((size_t)CONFIG_MASKED_BYTES)

/* k_thread.wait_flags of one that waits in a queue. */
#define MSGQ_WAIT_WRITER 0x01U /* with a message */
#define MSGQ_WAIT_USER   0x02U /* its buffer is the thread's own to name, not the kernel's */

static inline bool msgq_is_long(const struct k_msgq *msgq)
{
	return msgq->msg_size > CONFIG_MSGQ_MASKED_SIZE;
}

/* The first that waits with a buffer to be filled; NULL if none does. Masked. */
static inline struct k_thread *msgq_reader(const struct k_msgq *msgq)
{
	struct k_thread *first = msgq->wait_q.head;

	return first != NULL && (first->wait_flags & MSGQ_WAIT_WRITER) == 0 ? first : NULL;
}

enum msgq_direction { MSGQ_IN, MSGQ_IN_FRONT, MSGQ_OUT };

/*
 * A message on its way, by whoever runs. On the stack of who began that, and lives as long
 * (sched_traversal_finishes()).
 */
struct msgq_copy {
	enum msgq_direction direction;
	bool is_waiters;
	bool is_placed; /* the ring has it, or has its place back */
	bool is_over, copied;
	char *place;
	char *data; /* a thread's */
	const struct k_thread
		*user; /* its, if it is a user's and the caller; NULL: kernel code's */
	struct user_known known; /* of a user's bytes */
	size_t done; /* bytes */
	_wait_q_t hand; /* its waiters: out of its queue, beyond its time-out, not yet awake */
};

/* The first that waits with a message; NULL if none does. */
static inline struct k_thread *msgq_writer(const struct k_msgq *msgq)
{
	struct k_thread *first = msgq->wait_q.head;

	return first != NULL && (first->wait_flags & MSGQ_WAIT_WRITER) != 0 ? first : NULL;
}

/* What was found before may have changed. */
void msgq_traversal_begin(const struct k_msgq *msgq, unsigned int key);

/* All of it; its place is claimed. False: it came to nothing. */
bool msgq_copy_run(struct k_msgq *msgq, struct msgq_copy *copy, unsigned int key);

/*
 * A copy that another thread began is done; messages that are there are fetched for the readers
 * that wait, and places that are free filled from the writers.
 */
void msgq_settle(struct k_msgq *msgq, unsigned int key);

/* The end of a call: whoever was woken runs, and the caller stops if it was stopped. */
static inline void msgq_traversal_end(const struct k_msgq *msgq, unsigned int key)
{
	if (msgq_is_long(msgq)) {
		sched_traversal_end(key);
	} else {
		sched_reschedule(key);
	}
}

/* How many of the bytes that are left are copied in one step. */
static inline size_t msgq_bytes_of_step(const struct k_msgq *msgq, size_t left)
{
	return CONFIG_MSGQ_MASKED_SIZE <= CONFIG_MASKED_BYTES || msgq_is_long(msgq)
		       ? MIN(left, MSGQ_STEP)
		       : left;
}

/*
 * A claimed place, and the caller's buffer or a waiter's; a thread's copy of a long message is the
 * queue's from here on. By fields: it is masked.
 */
static inline void msgq_copy_begin(struct k_msgq *msgq, struct msgq_copy *copy,
				   enum msgq_direction direction, char *place, const void *data,
				   const struct k_thread *user, unsigned int key)
{
	if (msgq_is_long(msgq) && arch_may_switch(key)) {
		msgq->copying = copy;
	}
	copy->direction = direction;
	copy->is_waiters = false;
	copy->is_placed = false;
	copy->is_over = false;
	copy->place = place;
	copy->data = (char *)(uintptr_t)data;
	copy->user = user;
	copy->known.since = 0;
	copy->done = 0;
	copy->hand.head = NULL;
}

/* Of a user's bytes it has to be known whose they are: that is looked at in a step of its own. */
static inline bool msgq_is_own(const struct k_thread *user, const struct user_known *known,
			       uintptr_t address, size_t bytes)
{
	return !IS_ENABLED(CONFIG_USERSPACE) || user == NULL ||
	       user_is_known(known, address, bytes);
}

/* By another thread, and the caller may go on with it. */
static inline bool msgq_is_under_way(const struct k_msgq *msgq, unsigned int key)
{
	return msgq->copying != NULL && arch_may_switch(key);
}

#endif /* FOLIOT_KERNEL_MSGQ_STEP_H */
