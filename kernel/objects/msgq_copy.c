/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Message queues: who waits, who is woken, and what is copied with interrupts open. With a reader waiting, a message is copied straight
 * into the reader's buffer; with a writer waiting, the place that a reader frees is filled
 * from the writer's at once, so the order of writers is kept, and an ISR finds the queue
 * full as it was.
 *
 * Long messages are copied with interrupts open and the scheduler locked. So copies nest, each
 * in an interrupt of the one before, and never interleave: a place that is claimed (`writing`,
 * `reading`) becomes a message or free when the outermost copy is done. That needs two counts
 * a queue. Rejected: places that the waiter fills itself when it runs, since a reader of high
 * priority, or an ISR, would have to wait for a writer of low priority to get the CPU; and that
 * readers empty themselves, since a queue would hold fewer messages than it says.
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

/* Whom an open copy is for: out of its queue, beyond its time-out, not yet awake. */
static _wait_q_t in_hand;

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

/* One message; `side` is the thread's, a user thread's or NULL. False: a fault there. */
static inline bool copy_as_it_is(const struct k_msgq *msgq, void *to, const void *from,
				 unsigned int side, const struct k_thread *user)
{
	return user != NULL ? user_copy_message(user, to, from, msgq->msg_size, side)
			    : msgq_copy_masked(msgq, to, from, side);
}

/* The same, with interrupts open if it is long. */
static inline bool copy(const struct k_msgq *msgq, void *to, const void *from, unsigned int side,
			unsigned int key, const struct k_thread *user)
{
	bool done;

	if (msgq_is_long(msgq)) {
		arch_irq_unlock(key);
	}
	done = copy_as_it_is(msgq, to, from, side, user);
	if (msgq_is_long(msgq)) {
		(void)arch_irq_lock();
	}
	return done;
}

static void begin(const struct k_msgq *msgq, unsigned int key)
{
	if (msgq_is_long(msgq)) {
		sched_walk_begin(key);
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

/* `thread` waits in the queue: nobody else ends its wait now. */
static void take_in_hand(struct k_msgq *msgq, struct k_thread *thread)
{
	if ((thread->state & K_THREAD_TIMED) != 0) {
		timeout_cancel(&thread->timeout);
		thread->state &= (uint8_t)~K_THREAD_TIMED;
	}
	wait_q_remove(&msgq->wait_q, thread);
	thread->pended_on = &in_hand;
	wait_q_add(&in_hand, thread);
}

/* Its copy is done, or faulted; no switch. It may have been aborted meanwhile. */
static void let_go(struct k_thread *thread, bool copied)
{
	if ((thread->state & K_THREAD_DEAD) == 0) {
		sched_wake(thread, copied ? 0 : -EFAULT);
	}
}

/* Places are free: fill them from the writers that wait. Bound: these. */
static void admit_writers(struct k_msgq *msgq, unsigned int key)
{
	struct k_thread *writer;

	while ((writer = first_writer(msgq)) != NULL && ring_num_free(msgq) != 0) {
		char *place = ring_claim(msgq);
		bool copied;

		take_in_hand(msgq, writer);
		copied = copy(msgq, place, (const void *)writer->wake_data, ARCH_COPY_FROM, key,
			      user_of(writer));
		ring_publish(msgq, place, copied);
		let_go(writer, copied);
	}
}

/* There are messages: fetch them for the readers that wait. Bound: these. */
static void serve_readers(struct k_msgq *msgq, unsigned int key)
{
	struct k_thread *reader;

	while ((reader = msgq_reader(msgq)) != NULL && msgq->used_msgs != 0) {
		char *place = ring_take(msgq);
		bool copied;

		take_in_hand(msgq, reader);
		copied = copy(msgq, (void *)reader->wake_data, place, ARCH_COPY_TO, key,
			      user_of(reader));
		ring_release(msgq, place, copied);
		let_go(reader, copied);
	}
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

/* Into the ring, or the caller waits with it. Restores key. */
static int put_into_ring(struct k_msgq *msgq, const void *data, k_timeout_t timeout,
			 unsigned int key, const struct k_thread *user)
{
	char *place;
	bool copied;

	if (ring_num_free(msgq) == 0 || first_writer(msgq) != NULL) {
		return wait_with(msgq, (uintptr_t)data,
				 MSGQ_WAIT_WRITER | (user != NULL ? MSGQ_WAIT_USER : 0U), timeout,
				 key);
	}
	begin(msgq, key);
	place = ring_claim(msgq);
	copied = copy(msgq, place, data, ARCH_COPY_FROM, key, user);
	ring_publish(msgq, place, copied);
	serve_readers(msgq, key);
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

/*
 * In front of the first message, whose place an interrupt may take meanwhile: then once more,
 * in front of what is the first now. The place is one of those that are being read: free as
 * soon as no copy is under way. Bound: the interrupts that take messages.
 */
static inline bool copy_to_front(struct k_msgq *msgq, const void *data, unsigned int key,
				 const struct k_thread *user)
{
	bool copied;
	char *place;

	msgq->reading++;
	msgq->readers++;
	do {
		place = ring_prev(msgq, msgq->read_ptr);
		copied = copy(msgq, place, data, ARCH_COPY_FROM, key, user);
	} while (copied && place != ring_prev(msgq, msgq->read_ptr));
	if (copied) {
		msgq->read_ptr = place;
		msgq->used_msgs++;
	}
	msgq->readers--;
	msgq->reading = 0;
	return copied;
}

int msgq_put_front(struct k_msgq *msgq, const void *data, const struct k_thread *user)
{
	unsigned int key = arch_irq_lock();
	bool copied;

	if (!msgq_is_long(msgq) && msgq_reader(msgq) != NULL && hand_over(msgq, data, key)) {
		return 0;
	}
	if (ring_num_free(msgq) == 0 || msgq->readers != 0) {
		arch_irq_unlock(key);
		return -ENOMSG;
	}
	begin(msgq, key);
	copied = copy_to_front(msgq, data, key, user);
	serve_readers(msgq, key);
	end(msgq, key);
	return result_of(copied, user);
}

/* The first message of the ring, or the caller waits for one. Restores key. */
static inline int take_from_ring(struct k_msgq *msgq, void *data, k_timeout_t timeout,
				 unsigned int key, const struct k_thread *user)
{
	char *place;
	bool copied;

	if (msgq->used_msgs == 0) {
		return wait_with(msgq, (uintptr_t)data, user != NULL ? MSGQ_WAIT_USER : 0U, timeout,
				 key);
	}
	begin(msgq, key);
	place = ring_take(msgq);
	copied = copy(msgq, data, place, ARCH_COPY_TO, key, user);
	ring_release(msgq, place, copied);
	admit_writers(msgq, key);
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
	bool is_there;
	bool copied = true;
	uint32_t taken;

	begin(msgq, key);
	do { /* Bound: the interrupts that take messages; then another one is the idx-th. */
		taken = msgq->taken;
		is_there = idx < msgq->used_msgs;
		if (is_there) {
			copied = copy(msgq, data, ring_place_of(msgq, idx), ARCH_COPY_TO, key,
				      user);
		}
	} while (taken != msgq->taken && copied);
	end(msgq, key);
	if (!copied) {
		return result_of(false, user);
	}
	return is_there ? 0 : -ENOMSG;
}

void k_msgq_purge(struct k_msgq *msgq)
{
	unsigned int key = arch_irq_lock();

	if (msgq->readers != 0) {
		msgq->reading += msgq->used_msgs; /* free with those that are being read */
	}
	msgq->read_ptr = ring_place_of(msgq, msgq->used_msgs);
	msgq->taken += msgq->used_msgs;
	msgq->used_msgs = 0;
	if (first_writer(msgq) == NULL) {
		arch_irq_unlock(key);
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
