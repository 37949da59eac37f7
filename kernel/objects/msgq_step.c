/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a message that is copied with interrupts open: msgq_step.h. */
#include "kernel/objects/msgq_step.h"
#include "kernel/objects/msgq_ring.h"
#include "kernel/time/timeout.h"

/* The user thread whose buffer it is that `waiter` waits with; NULL: kernel code's. */
static inline const struct k_thread *user_of(const struct k_thread *waiter)
{
	return IS_ENABLED(CONFIG_USERSPACE) && (waiter->wait_flags & MSGQ_WAIT_USER) != 0 ? waiter
											  : NULL;
}

void msgq_traversal_begin(const struct k_msgq *msgq, unsigned int key)
{
	if (msgq_is_long(msgq) && arch_may_switch(key)) {
		sched_traversal_window(key); /* each between two of these is a step */
		sched_traversal_finishes(true, key);
		sched_traversal_window(key);
		sched_traversal_ceiling(&msgq->wait_q, key);
		sched_traversal_window(key);
	}
}

/* ---- a copy ---- */

/* Of the first of the queue's waiters: nobody else ends its wait now, but by its end. */
static void begin_of_waiter(struct k_msgq *msgq, struct msgq_copy *copy,
			    enum msgq_direction direction, char *place, unsigned int key)
{
	struct k_thread *thread = msgq->wait_q.head;

	msgq_copy_begin(msgq, copy, direction, place, (char *)thread->wake_data, user_of(thread),
			key);
	if ((thread->state & K_THREAD_TIMED) != 0) {
		timeout_cancel(&thread->timeout);
		thread->state &= (uint8_t)~K_THREAD_TIMED;
	}
	wait_q_remove_inline(&msgq->wait_q, thread);
	sched_moves++;
	thread->pended_on = &copy->hand;
	thread->next = thread;
	thread->prev = thread;
	copy->hand.head = thread;
	copy->is_waiters = true;
}

/* What becomes of the place. */
static void settle_place(struct k_msgq *msgq, struct msgq_copy *copy, bool copied)
{
	copy->is_placed = true;
	copy->copied = copied;
	if (copy->direction == MSGQ_IN) {
		ring_publish(msgq, copy->place, copied);
	} else if (copy->direction == MSGQ_OUT) {
		ring_release(msgq, copy->place, copied);
	} else {
		ring_publish_front(msgq, copy->place, copied);
	}
}

/* And of who waited for that. */
static void conclude(struct k_msgq *msgq, struct msgq_copy *copy)
{
	if (msgq->copying == copy) {
		msgq->copying = NULL;
	}
	copy->is_over = true;
	if (copy->hand.head != NULL) {
		sched_wake(copy->hand.head, copy->copied ? 0 : -EFAULT);
	}
}

static void finish(struct k_msgq *msgq, struct msgq_copy *copy, bool copied)
{
	copy->done = msgq->msg_size;
	settle_place(msgq, copy, copied);
	if (!msgq_is_long(msgq)) { /* else that is a step of its own */
		conclude(msgq, copy);
	}
}

/*
 * In front of the first message, whose place an interrupt may have taken meanwhile: then once more.
 */
static bool is_behind(const struct k_msgq *msgq, struct msgq_copy *copy)
{
	char *place;

	if (copy->direction != MSGQ_IN_FRONT) {
		return false;
	}
	place = ring_prev(msgq, msgq->read_ptr);
	if (place == copy->place) {
		return false;
	}
	copy->place = place;
	copy->done = 0;
	return true;
}

/* Has its waiter been ended? */
static inline bool is_gone(const struct msgq_copy *copy)
{
	return unlikely(copy->is_waiters && copy->hand.head == NULL);
}

static inline bool copy_some(const struct msgq_copy *copy, size_t bytes)
{
	char *place = copy->place + copy->done;
	char *data = copy->data + copy->done;
	const bool is_out = copy->direction == MSGQ_OUT;

	return arch_copy_guarded(is_out ? data : place, is_out ? place : data, bytes,
				 is_out ? ARCH_COPY_TO : ARCH_COPY_FROM) == ARCH_COPY_DONE;
}

/*
 * All bytes are there, so it is done, whatever became of the waiter: that is told to the ring, and
 * then to that one.
 */
static void step_behind(struct k_msgq *msgq, struct msgq_copy *copy)
{
	if (copy->is_placed) {
		conclude(msgq, copy);
	} else if (!is_behind(msgq, copy)) {
		finish(msgq, copy, true);
	}
}

/* The next bytes. What is for one that was ended stays, and what is from it is none. */
static void step(struct k_msgq *msgq, struct msgq_copy *copy)
{
	const size_t left = msgq->msg_size - copy->done;
	const size_t bytes = msgq_bytes_of_step(msgq, left);

	if (left == 0) {
		step_behind(msgq, copy);
		return;
	}
	if (likely(!is_gone(copy))) {
		if (unlikely(!msgq_is_own(copy->user, &copy->known,
					  (uintptr_t)copy->data + copy->done, bytes))) {
			if (user_know(&copy->known, copy->user, (uintptr_t)copy->data + copy->done,
				      left, copy->direction == MSGQ_OUT)) {
				return;
			}
		} else if (likely(copy_some(copy, bytes))) {
			copy->done += bytes;
			return;
		}
	}
	finish(msgq, copy, false);
}

/*
 * All of it; its place is claimed. Bound: (B + MSGQ_STEP - 1) / MSGQ_STEP + 1 +
 * B / (CONFIG_MSGQ_MASKED_SIZE + 1) + CONFIG_USERSPACE + D, its end, a long one's second, a look at
 * whose the bytes are, and what went in front meanwhile; interrupts are let in before each.
 */
bool msgq_copy_run(struct k_msgq *msgq, struct msgq_copy *copy, unsigned int key)
{
	const bool is_long = msgq_is_long(msgq);

	while (!copy->is_over) {
		if (is_long) {
			sched_traversal_window(key);
		}
		step(msgq, copy);
	}
	if (is_long) {
		sched_traversal_window(key);
	}
	return copy->copied;
}

/* ---- for the waiter ---- */

static void serve_first(struct k_msgq *msgq, enum msgq_direction direction, char *place,
			unsigned int key)
{
	struct msgq_copy copy;

	begin_of_waiter(msgq, &copy, direction, place, key);
	if (msgq_is_long(msgq)) {
		sched_traversal_window(key); /* in which others may have done it */
	}
	(void)msgq_copy_run(msgq, &copy, key);
}

/*
 * What is there, and the calls of others; interrupts are let in after each step.
 * Bound: (W + B / MSGQ_STEP + 3) * (D + 1).
 */
void msgq_settle(struct k_msgq *msgq, unsigned int key)
{
	const bool may_switch = arch_may_switch(key); /* as msgq_is_under_way(), asked once */

	if (msgq_is_long(msgq)) {
		sched_traversal_window(key); /* what the caller has done was a step */
	}
	for (;;) {
		if (unlikely(msgq->copying != NULL) && may_switch) {
			step(msgq, msgq->copying);
			sched_traversal_window(key);
		} else if (msgq_reader(msgq) != NULL && msgq->used_msgs != 0) {
			serve_first(msgq, MSGQ_OUT, ring_take(msgq), key);
		} else if (msgq_writer(msgq) != NULL && ring_num_free(msgq) != 0) {
			serve_first(msgq, MSGQ_IN, ring_claim(msgq), key);
		} else {
			return;
		}
	}
}
