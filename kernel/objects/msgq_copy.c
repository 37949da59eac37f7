/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Message queues: who waits, who is woken, and what is copied with interrupts open. With a reader
 * waiting, a message is copied straight into the reader's buffer; with a writer waiting, the place
 * that a reader frees is filled from the writer's at once, so the order of writers is kept, and an
 * ISR finds the queue full as it was.
 *
 * Long messages are copied in steps (sched.h), between which whoever is more urgent runs. A copy
 * that a thread began is the queue's (k_msgq.copying) until it is done: another thread that comes
 * goes on with it, step by step, so calls of threads are one after the other for all of them,
 * however urgent, and nobody waits for who was preempted. Who began it is ended or suspended when
 * it is done. What interrupts do nests, each in the one before, and never interleaves: a place that
 * is claimed (`writing`, `reading`) becomes a message or free when the outermost copy is done. That
 * needs two counts a queue. Rejected: places that the waiter fills itself when it runs, since a
 * reader of high priority, or an ISR, would have to wait for a writer of low priority to get the
 * CPU; that readers empty themselves, since a queue would hold fewer messages than it says; and a
 * lock that who comes waits for, which a call with K_NO_WAIT must not, nor one with the scheduler
 * locked.
 *
 * The buffers of threads are the only memory here that is not the kernel's: they are touched
 * by arch_copy_guarded(), and a fault there is theirs. Those of user threads, of long messages
 * (a verifier copies short ones), are looked at step by step as they are copied, against the
 * regions of the thread whose they are, whoever copies.
 */
#include "kernel/objects/msgq_copy.h"
#include "kernel/objects/msgq_ring.h"
#include "kernel/hooks/poll.h"

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

static void settle_put(struct k_msgq *msgq, unsigned int key)
{
	msgq_settle(msgq, key);
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
	/* Bound: W, the readers that wait. */
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
static inline int wait_with(struct k_msgq *msgq, uintptr_t data, unsigned int flags,
			    k_timeout_t timeout, unsigned int key)
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
static inline bool may_go_on(const struct k_msgq *msgq, enum msgq_direction direction)
{
	return direction == MSGQ_OUT ? msgq->used_msgs != 0 && msgq_reader(msgq) == NULL
				     : ring_num_free(msgq) != 0 && msgq_writer(msgq) == NULL;
}

/* Nothing is under way, so the caller waits: what is masked until it does is short. */
static inline bool must_wait(const struct k_msgq *msgq, enum msgq_direction direction)
{
	return msgq->copying == NULL && !may_go_on(msgq, direction);
}

/*
 * May it go on, now that what other threads have begun is done? Then in a traversal. Masked.
 * Bound: D, the calls of others that come in between.
 */
static __noinline bool begin_if(struct k_msgq *msgq, enum msgq_direction direction,
				unsigned int key)
{
	if (!msgq_is_long(msgq) || !arch_may_switch(key)) {
		return may_go_on(msgq, direction);
	}
	while (msgq->copying != NULL || may_go_on(msgq, direction)) {
		msgq_traversal_begin(msgq, key);
		msgq_settle(msgq, key);
		if (may_go_on(msgq, direction)) {
			return true;
		}
		(void)sched_traversal_stop(key);
	}
	return false;
}

/* May it go on, if not at once then behind the moment when its time-out is armed? */
static inline bool goes_on(struct k_msgq *msgq, enum msgq_direction direction, k_timeout_t timeout,
			   unsigned int key)
{
	if (!must_wait(msgq, direction) && begin_if(msgq, direction, key)) {
		return true;
	}
	if (timeout.ticks == 0) {
		return false;
	}
	if (!sched_arm_first(timeout, -EAGAIN, key)) {
		sched_traversal_window(key); /* that it waits was a step, too */
	}
	if (must_wait(msgq, direction) || !begin_if(msgq, direction, key)) {
		return false;
	}
	sched_disarm();
	return true;
}

/* Into the ring, or the caller waits with it. Restores key. */
static int put_into_ring(struct k_msgq *msgq, const void *data, k_timeout_t timeout,
			 unsigned int key, const struct k_thread *user)
{
	struct msgq_copy copy;
	bool copied;

	if (!goes_on(msgq, MSGQ_IN, timeout, key)) {
		return wait_with(msgq, (uintptr_t)data,
				 MSGQ_WAIT_WRITER | (user != NULL ? MSGQ_WAIT_USER : 0U), timeout,
				 key);
	}
	msgq_copy_begin(msgq, &copy, MSGQ_IN, ring_claim(msgq), data, user, key);
	copied = msgq_copy_run(msgq, &copy, key);
	settle_put(msgq, key);
	msgq_traversal_end(msgq, key);
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
	unsigned int key = arch_irq_lock();
	struct msgq_copy copy;
	bool copied;

	if (!msgq_is_long(msgq) && msgq_reader(msgq) != NULL && hand_over(msgq, data, key)) {
		return 0;
	}
	msgq_traversal_begin(msgq, key);
	if (msgq_is_under_way(msgq, key)) {
		msgq_settle(msgq, key);
	}
	if (ring_num_free(msgq) == 0 || msgq->readers != 0) {
		msgq_traversal_end(msgq, key);
		return -ENOMSG;
	}
	msgq_copy_begin(msgq, &copy, MSGQ_IN_FRONT, ring_claim_front(msgq), data, user, key);
	copied = msgq_copy_run(msgq, &copy, key);
	settle_put(msgq, key);
	msgq_traversal_end(msgq, key);
	return result_of(copied, user);
}

/* The first message of the ring, or the caller waits for one. Restores key. */
static int take_from_ring(struct k_msgq *msgq, void *data, k_timeout_t timeout, unsigned int key,
			  const struct k_thread *user)
{
	struct msgq_copy copy;
	bool copied;

	if (!goes_on(msgq, MSGQ_OUT, timeout, key)) {
		return wait_with(msgq, (uintptr_t)data, user != NULL ? MSGQ_WAIT_USER : 0U, timeout,
				 key);
	}
	msgq_copy_begin(msgq, &copy, MSGQ_OUT, ring_take(msgq), data, user, key);
	copied = msgq_copy_run(msgq, &copy, key);
	msgq_settle(msgq, key);
	msgq_traversal_end(msgq, key);
	return result_of(copied, user);
}

int msgq_get_slow(struct k_msgq *msgq, void *data, k_timeout_t timeout, unsigned int key)
{
	return take_from_ring(msgq, data, timeout, key, NULL);
}

int msgq_peek_at(struct k_msgq *msgq, void *data, uint32_t idx, const struct k_thread *user)
{
	unsigned int key = arch_irq_lock();
	struct user_known known = {0};
	const char *place = NULL;
	uint32_t taken = 0;
	bool copied = true;
	bool is_there;
	size_t at = 0;

	/*
	 * Bound: (B / MSGQ_STEP + 2) * (D + 1), and that again when others took messages:
	 * another one is the idx-th then.
	 */
	while (is_there = idx < msgq->used_msgs, is_there && copied && at < msgq->msg_size) {
		const size_t left = msgq->msg_size - at;
		const size_t bytes = msgq_bytes_of_step(msgq, left);

		if (unlikely(!msgq_is_own(user, &known, (uintptr_t)data + at, bytes))) {
			copied = user_know(&known, user, (uintptr_t)data + at, left, true);
		} else {
			if (at == 0) {
				place = ring_place_of(msgq, idx);
				taken = msgq->taken;
			}
			copied = arch_copy_guarded((char *)data + at, place + at, bytes,
						   ARCH_COPY_TO) == ARCH_COPY_DONE;
			at += bytes;
		}
		if (msgq_is_long(msgq)) {
			sched_traversal_window(key);
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

	if (msgq_is_under_way(msgq, key)) {
		msgq_traversal_begin(msgq, key);
		msgq_settle(msgq, key);
	}
	if (msgq->readers != 0) {
		msgq->reading += msgq->used_msgs; /* free with those that are being read */
	}
	msgq->read_ptr = ring_place_of(msgq, msgq->used_msgs);
	msgq->taken += msgq->used_msgs;
	msgq->used_msgs = 0;
	if (msgq_writer(msgq) == NULL) {
		msgq_traversal_end(msgq, key);
		return;
	}
	(void)sched_wake_all(&msgq->wait_q, -ENOMSG, key);
	sched_traversal_end(key);
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
