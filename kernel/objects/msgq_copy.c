/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Message queues: who waits, who is woken, and what is copied with interrupts open. With a reader waiting, a message is copied straight
 * into the reader's buffer; with a writer waiting, the place that a reader frees is filled
 * from the writer's at once, so the order of writers is kept, and an ISR finds the queue
 * full as it was.
 *
 * Long messages are copied in steps (sched.h), between which whoever is more urgent runs. A copy that a thread began is the
 * queue's (k_msgq.copying) until it is done: another thread that comes goes on with it, step by step, so calls of threads
 * are one after the other for all of them, however urgent, and nobody waits for who was preempted. Who began it is ended or
 * suspended when it is done. What interrupts do nests, each in the one before, and never interleaves: a place that is
 * claimed (`writing`, `reading`) becomes a message or free when the outermost copy is done. That needs two counts
 * a queue. Rejected: places that the waiter fills itself when it runs, since a reader of high
 * priority, or an ISR, would have to wait for a writer of low priority to get the CPU; that
 * readers empty themselves, since a queue would hold fewer messages than it says; and a lock that who comes waits for, which
 * a call with K_NO_WAIT must not, nor one with the scheduler locked.
 *
 * The buffers of threads are the only memory here that is not the kernel's: they are touched
 * by arch_copy_guarded(), and a fault there is theirs. Those of user threads, of long messages
 * (a verifier copies short ones), are looked at step by step as they are copied, against the
 * regions of the thread whose they are, whoever copies.
 */
#include "kernel/objects/msgq_copy.h"
#include "kernel/objects/msgq_ring.h"
#include "kernel/objects/poll.h"
#include "kernel/protect/user.h"
#include "kernel/sched/sched.h"
#include "kernel/time/timeout.h"

#define STEP ((size_t)CONFIG_MASKED_BYTES)

enum direction { IN, IN_FRONT, OUT };

/* A message on its way, by whoever runs. On the stack of who began that, and lives as long (sched_walk_finishes()). */
struct msgq_copy {
	enum direction direction;
	bool is_waiters;
	bool is_over, copied;
	char *place;
	char *data; /* a thread's */
	const struct k_thread
		*user; /* its, if it is a user's and the caller; NULL: kernel code's */
	size_t done; /* bytes */
	_wait_q_t hand; /* who waits for it: out of its queue, beyond its time-out, not yet awake */
};

/* The first that waits with a message; NULL if none does. */
static struct k_thread *first_writer(const struct k_msgq *msgq)
{
	struct k_thread *first = msgq->wait_q.head;

	return first != NULL && (first->wait_flags & MSGQ_WAIT_WRITER) != 0 ? first : NULL;
}

/* The user thread whose buffer it is that `waiter` waits with; NULL: kernel code's. */
static inline const struct k_thread *user_of(const struct k_thread *waiter)
{
	return IS_ENABLED(CONFIG_USERSPACE) && (waiter->wait_flags & MSGQ_WAIT_USER) != 0 ? waiter
											  : NULL;
}

static bool copy_bytes(const struct k_thread *user, void *to, const void *from, size_t bytes,
		       unsigned int side)
{
	return IS_ENABLED(CONFIG_USERSPACE) && user != NULL
		       ? user_copy_message(user, to, from, bytes, side)
		       : arch_copy_guarded(to, from, bytes, side) == ARCH_COPY_DONE;
}

static void begin(const struct k_msgq *msgq, unsigned int key)
{
	if (msgq_is_long(msgq)) {
		sched_walk_ceiling(&msgq->wait_q, key);
		sched_walk_finishes(true, key);
	}
}

/* The end of a call: whoever was woken runs, and the caller stops if it was stopped. */
static void end(const struct k_msgq *msgq, unsigned int key)
{
	if (msgq_is_long(msgq)) {
		sched_walk_end(key);
	} else {
		sched_reschedule(key);
	}
}

int msgq_fault(void)
{
	fatal_raise(K_ERR_CPU_EXCEPTION, "message buffer");
}

static inline int result_of(bool copied, const struct k_thread *user)
{
	if (likely(copied)) {
		return 0;
	}
	if (user != NULL) {
		user_message_fault();
	}
	return msgq_fault();
}

/* ---- a copy ---- */

/* The first of the queue's waiters: nobody else ends its wait now, but by its end. */
static void take_in_hand(struct k_msgq *msgq, struct msgq_copy *copy)
{
	struct k_thread *thread = msgq->wait_q.head;

	if ((thread->state & K_THREAD_TIMED) != 0) {
		timeout_cancel(&thread->timeout);
		thread->state &= (uint8_t)~K_THREAD_TIMED;
	}
	wait_q_remove(&msgq->wait_q, thread);
	thread->pended_on = &copy->hand;
	wait_q_add(&copy->hand, thread);
	copy->is_waiters = true;
	copy->user = user_of(thread);
	copy->data = (char *)thread->wake_data;
}

static void finish(struct k_msgq *msgq, struct msgq_copy *copy, bool copied)
{
	if (msgq->copying == copy) {
		msgq->copying = NULL;
	}
	copy->is_over = true;
	copy->copied = copied;
	if (copy->direction == IN) {
		ring_publish(msgq, copy->place, copied);
	} else if (copy->direction == OUT) {
		ring_release(msgq, copy->place, copied);
	} else {
		ring_publish_front(msgq, copy->place, copied);
	}
	if (copy->hand.head != NULL) {
		sched_wake(copy->hand.head, copied ? 0 : -EFAULT);
	}
}

/* In front of the first message, whose place an interrupt may have taken meanwhile: then once more. */
static bool is_behind(const struct k_msgq *msgq, struct msgq_copy *copy)
{
	char *place;

	if (copy->direction != IN_FRONT) {
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

/* The next bytes. What is for one that was ended stays, and what is from it is none. */
static void step(struct k_msgq *msgq, struct msgq_copy *copy)
{
	const size_t left = msgq->msg_size - copy->done;
	const size_t bytes = msgq_is_long(msgq) ? MIN(left, STEP) : left;
	char *place = copy->place + copy->done;
	char *data = copy->data + copy->done;

	if (unlikely(copy->is_waiters && copy->hand.head == NULL) ||
	    unlikely(!(copy->direction == OUT
			       ? copy_bytes(copy->user, data, place, bytes, ARCH_COPY_TO)
			       : copy_bytes(copy->user, place, data, bytes, ARCH_COPY_FROM)))) {
		finish(msgq, copy, false);
		return;
	}
	copy->done += bytes;
	if (bytes == left && !is_behind(msgq, copy)) {
		finish(msgq, copy, true);
	}
}

/* All of it. Bound: msg_size / STEP; interrupts are let in after each. */
static bool run(struct k_msgq *msgq, struct msgq_copy *copy, unsigned int key)
{
	if (msgq_is_long(msgq) && arch_may_switch(key)) {
		msgq->copying = copy;
	}
	while (!copy->is_over) {
		step(msgq, copy);
		if (msgq_is_long(msgq)) {
			sched_walk_window(key);
		}
	}
	return copy->copied;
}

/* ---- for who waits ---- */

static void admit_writer(struct k_msgq *msgq, unsigned int key)
{
	struct msgq_copy copy = {.direction = IN, .place = ring_claim(msgq)};

	take_in_hand(msgq, &copy);
	(void)run(msgq, &copy, key);
}

static void serve_reader(struct k_msgq *msgq, unsigned int key)
{
	struct msgq_copy copy = {.direction = OUT, .place = ring_take(msgq)};

	take_in_hand(msgq, &copy);
	(void)run(msgq, &copy, key);
}

/* By another thread, and the caller may go on with it. */
static inline bool is_under_way(const struct k_msgq *msgq, unsigned int key)
{
	return msgq->copying != NULL && arch_may_switch(key);
}

/*
 * A copy that another thread began is done; messages that are there are fetched for the readers that wait, and places
 * that are free filled from the writers. Bound: these; interrupts are let in after each step.
 */
static void settle(struct k_msgq *msgq, unsigned int key)
{
	for (;;) {
		if (is_under_way(msgq, key)) {
			step(msgq, msgq->copying);
			sched_walk_window(key);
		} else if (msgq_reader(msgq) != NULL && msgq->used_msgs != 0) {
			serve_reader(msgq, key);
		} else if (first_writer(msgq) != NULL && ring_num_free(msgq) != 0) {
			admit_writer(msgq, key);
		} else {
			return;
		}
	}
}

static void settle_put(struct k_msgq *msgq, unsigned int key)
{
	settle(msgq, key);
	if (msgq->used_msgs != 0) {
		poll_available(msgq, K_POLL_STATE_MSGQ_DATA_AVAILABLE);
	}
}

/* A fault at the message is the caller's, here like anywhere: nothing has changed yet. */
static bool copy_to_reader(const struct k_msgq *msgq, const struct k_thread *reader,
			   const void *data)
{
	return msgq_copy_masked(msgq, (void *)reader->wake_data, data, ARCH_COPY_TO);
}

/*
 * The first reader's buffer is none, so several are woken, and the most urgent of them, which
 * need not be the one with the message, runs next. Results as hand_over()'s.
 */
static __noinline bool hand_over_to_next(struct k_msgq *msgq, const void *data, unsigned int key)
{
	struct k_thread *reader;

	sched_wake(msgq->wait_q.head, -EFAULT);
	/* Bound: the readers that wait. */
	while ((reader = msgq_reader(msgq)) != NULL) {
		bool copied = copy_to_reader(msgq, reader, data);

		sched_wake(reader, copied ? 0 : -EFAULT);
		if (copied) {
			sched_reschedule(key);
			return true;
		}
	}
	return false;
}

/*
 * A short message and a reader that waits: straight from one to the other. True: done, and
 * `key` restored; false: those that waited had no buffers.
 */
static inline bool hand_over(struct k_msgq *msgq, const void *data, unsigned int key)
{
	if (likely(copy_to_reader(msgq, msgq->wait_q.head, data))) {
		(void)sched_wake_first(&msgq->wait_q, 0, key);
		return true;
	}
	return hand_over_to_next(msgq, data, key);
}

/* Full or empty: the caller waits with a message, or for one. Restores key. */
static int wait_with(struct k_msgq *msgq, uintptr_t data, unsigned int flags, k_timeout_t timeout,
		     unsigned int key)
{
	struct k_thread *current = k_cpu.current;
	int result;

	if (timeout.ticks == 0) {
		arch_irq_unlock(key);
		return -ENOMSG;
	}
	if (!arch_in_isr()) {
		current->wake_data = data;
		current->wait_flags = (uint8_t)flags;
	}
	result = (int)sched_pend_slow(&msgq->wait_q, timeout, key, -EAGAIN);
	return unlikely(result == -EFAULT)
		       ? result_of(false, (flags & MSGQ_WAIT_USER) != 0 ? current : NULL)
		       : result;
}

/* Is there room, or a message, that nobody waits for? */
static inline bool may_go_on(const struct k_msgq *msgq, enum direction direction)
{
	return direction == OUT ? msgq->used_msgs != 0 && msgq_reader(msgq) == NULL
				: ring_num_free(msgq) != 0 && first_writer(msgq) == NULL;
}

/*
 * The same, now that what other threads have begun is done; then in a walk. Masked.
 * Bound: the calls of others that come in between.
 */
static bool begin_if(struct k_msgq *msgq, enum direction direction, unsigned int key)
{
	if (!msgq_is_long(msgq) || !arch_may_switch(key)) {
		return may_go_on(msgq, direction);
	}
	while (msgq->copying != NULL || may_go_on(msgq, direction)) {
		begin(msgq, key);
		settle(msgq, key);
		if (may_go_on(msgq, direction)) {
			return true;
		}
		(void)sched_walk_stop(key);
	}
	return false;
}

/* Into the ring, or the caller waits with it. Restores key. */
static int put_into_ring(struct k_msgq *msgq, const void *data, k_timeout_t timeout,
			 unsigned int key, const struct k_thread *user)
{
	struct msgq_copy copy = {.direction = IN, .data = (char *)(uintptr_t)data, .user = user};
	bool copied;

	if (!begin_if(msgq, IN, key)) {
		return wait_with(msgq, (uintptr_t)data,
				 MSGQ_WAIT_WRITER | (user != NULL ? MSGQ_WAIT_USER : 0U), timeout,
				 key);
	}
	copy.place = ring_claim(msgq);
	copied = run(msgq, &copy, key);
	settle_put(msgq, key);
	end(msgq, key);
	return result_of(copied, user);
}

int msgq_put_to_reader(struct k_msgq *msgq, const void *data, k_timeout_t timeout, unsigned int key)
{
	return hand_over(msgq, data, key) ? 0 : put_into_ring(msgq, data, timeout, key, NULL);
}

int msgq_put_slow(struct k_msgq *msgq, const void *data, k_timeout_t timeout, unsigned int key)
{
	return put_into_ring(msgq, data, timeout, key, NULL);
}

int msgq_put_front(struct k_msgq *msgq, const void *data, const struct k_thread *user)
{
	struct msgq_copy copy = {
		.direction = IN_FRONT, .data = (char *)(uintptr_t)data, .user = user};
	unsigned int key = arch_irq_lock();
	bool copied;

	if (!msgq_is_long(msgq) && msgq_reader(msgq) != NULL && hand_over(msgq, data, key)) {
		return 0;
	}
	begin(msgq, key);
	if (is_under_way(msgq, key)) {
		settle(msgq, key);
	}
	if (ring_num_free(msgq) == 0 || msgq->readers != 0) {
		end(msgq, key);
		return -ENOMSG;
	}
	copy.place = ring_claim_front(msgq);
	copied = run(msgq, &copy, key);
	settle_put(msgq, key);
	end(msgq, key);
	return result_of(copied, user);
}

/* The first message of the ring, or the caller waits for one. Restores key. */
static int take_from_ring(struct k_msgq *msgq, void *data, k_timeout_t timeout, unsigned int key,
			  const struct k_thread *user)
{
	struct msgq_copy copy = {.direction = OUT, .data = data, .user = user};
	bool copied;

	if (!begin_if(msgq, OUT, key)) {
		return wait_with(msgq, (uintptr_t)data, user != NULL ? MSGQ_WAIT_USER : 0U, timeout,
				 key);
	}
	copy.place = ring_take(msgq);
	copied = run(msgq, &copy, key);
	settle(msgq, key);
	end(msgq, key);
	return result_of(copied, user);
}

int msgq_get_slow(struct k_msgq *msgq, void *data, k_timeout_t timeout, unsigned int key)
{
	return take_from_ring(msgq, data, timeout, key, NULL);
}

int msgq_peek_at(struct k_msgq *msgq, void *data, uint32_t idx, const struct k_thread *user)
{
	unsigned int key = arch_irq_lock();
	const char *place = NULL;
	uint32_t taken = 0;
	bool copied = true;
	bool is_there;
	size_t at = 0;

	/* Bound: msg_size / STEP, and that again when others took messages: another one is the idx-th then. */
	while (is_there = idx < msgq->used_msgs, is_there && copied && at < msgq->msg_size) {
		const size_t left = msgq->msg_size - at;
		const size_t bytes = msgq_is_long(msgq) ? MIN(left, STEP) : left;

		if (at == 0) {
			place = ring_place_of(msgq, idx);
			taken = msgq->taken;
		}
		copied = copy_bytes(user, (char *)data + at, place + at, bytes, ARCH_COPY_TO);
		at += bytes;
		if (msgq_is_long(msgq)) {
			sched_walk_window(key);
		}
		at = taken == msgq->taken ? at : 0;
	}
	arch_irq_unlock(key);
	if (!copied) {
		return result_of(false, user);
	}
	return is_there ? 0 : -ENOMSG;
}

void k_msgq_purge(struct k_msgq *msgq)
{
	unsigned int key = arch_irq_lock();

	if (is_under_way(msgq, key)) {
		begin(msgq, key);
		settle(msgq, key);
	}
	if (msgq->readers != 0) {
		msgq->reading += msgq->used_msgs; /* free with those that are being read */
	}
	msgq->read_ptr = ring_place_of(msgq, msgq->used_msgs);
	msgq->taken += msgq->used_msgs;
	msgq->used_msgs = 0;
	if (first_writer(msgq) == NULL) {
		end(msgq, key);
		return;
	}
	(void)sched_wake_all(&msgq->wait_q, -ENOMSG, key);
	sched_walk_end(key);
}

#ifdef CONFIG_USERSPACE
/* The user thread whose call this is. */
__attribute__((returns_nonnull)) static inline struct k_thread *calling_user(void)
{
	return k_cpu.current;
}

int msgq_user_put(struct k_msgq *msgq, const void *data, k_timeout_t timeout)
{
	return put_into_ring(msgq, data, timeout, arch_irq_lock(), calling_user());
}

int msgq_user_get(struct k_msgq *msgq, void *data, k_timeout_t timeout)
{
	return take_from_ring(msgq, data, timeout, arch_irq_lock(), calling_user());
}
#endif
