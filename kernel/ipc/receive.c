/* SPDX-License-Identifier: Apache-2.0 */
/* Receipts: the first that waits to be received, or a wait for whoever comes. */
#include "kernel/ipc/ipc.h"
#include "kernel/ipc/message.h"
#include "kernel/ipc/receive.h"
#include "kernel/hooks/thread_ipc.h"
#include "kernel/ipc/traversal.h"
#include "kernel/objects/mutex.h"
#include "kernel/hooks/inherit.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/wait_wake.h"

/*
 * `server` has a generation by now, and nobody waits for its answer. Returns the generation of whom
 * the callers have lent to, and fall() is next. No switch.
 * Model: ipc.begin_serving.
 */
static uint32_t begin_serving(struct k_ipc_endpoint *endpoint, struct k_thread *server)
{
	struct k_mutex *served = &server->ipc.served;

	served->owner = server;
	served->generation = generation_of(server);
	return mutex_move_waiters(&endpoint->callers, server);
}

/*
 * Who waits in the one queue waits in the other: the first of its priority, if it goes back.
 * Returns the generation of whom it has lent to, and fall() is next.
 */
static uint32_t move(struct k_thread *sender, struct k_mutex *from, struct k_mutex *to,
		     bool is_back)
{
	struct k_thread *heir = mutex_owner(to);

	wait_q_remove(&from->wait_q, sender);
	sender->pended_on = &to->wait_q;
	if (to->wait_q.head == NULL && heir != NULL) {
		contended_add(heir, to);
	}
	if (is_back) {
		wait_q_add_first(&to->wait_q, sender);
	} else {
		wait_q_add(&to->wait_q, sender);
	}
	mutex_left(from);
	if (heir == mutex_owner(from)) {
		return GENERATION_NOBODY;
	}
	mutex_lend(heir, sender->prio, TRAVERSAL_MASKED);
	return from->generation;
}

/* Nobody lends to whom that generation leads any more; with interrupts let in. */
static inline void fall(uint32_t generation, unsigned int key)
{
	if (unlikely(generation != GENERATION_NOBODY)) {
		mutex_inherit(generation, key);
	}
}

/*
 * The message of the first that waited to be received is there: a caller waits on, for its answer.
 * No switch.
 * Model: ipc.accept.
 */
static void accept(struct k_thread *sender, unsigned int key)
{
	ipc_arrived(sender, k_cpu.current);
	if (!sender->ipc.is_call) {
		ipc_wake(sender, 0, key);
	}
}

/*
 * Bytes of the first one that has them and can be received. True: done, with the result; in a
 * traversal.
 */
static bool accept_first(struct k_ipc_endpoint *endpoint, int *result, unsigned int key)
{
	struct k_mutex *served = &k_cpu.current->ipc.served;
	struct k_thread *sender;

	*result = 0;
	/* Bound: W, who waits to be received. */
	while ((sender = endpoint->callers.wait_q.head) != NULL && !ipc_was_ended()) {
		const uint32_t lent_to = move(sender, &endpoint->callers, served, false);
		enum ipc_copied copied;

		sched_traversal_window(key);
		sender = served->wait_q.head; /* it has nobody else meanwhile */
		if (sender == NULL) {
			fall(lent_to, key);
			continue;
		}
		copied = ipc_copy(sender, k_cpu.current, IPC_WORDS(sender)->badge, &served->wait_q,
				  key);
		if (copied == IPC_COPIED) {
			accept(sender, key);
			sched_traversal_window(key);
			fall(lent_to, key);
			return true;
		}
		/* Model: ipc.receive_fault */
		if (copied == IPC_FAULT_TO || (copied == IPC_GONE && served->wait_q.head != NULL)) {
			const uint32_t lent = move(sender, served, &endpoint->callers, true);

			fall(lent_to, key);
			fall(lent, key);
			*result = -EFAULT;
			return true;
		}
		/* Model: ipc.sender_fault */
		if (copied != IPC_GONE) {
			ipc_wake(sender, copied == IPC_NO_CAPACITY ? -ENOSPC : -EFAULT, key);
		}
		sched_traversal_window(key);
		fall(lent_to, key);
	}
	return ipc_was_ended();
}

/*
 * It waits to receive. Whom it has answered in the same call goes on at once, but for what is more
 * urgent.
 * Model: ipc.wait_to_receive.
 */
static void wait_to_receive(struct k_ipc_endpoint *endpoint, k_timeout_t timeout,
			    struct k_thread *answered)
{
	sched_pend_prepare(&endpoint->receivers, timeout, -EAGAIN);
	if (answered != NULL && answered->state == K_THREAD_QUEUED) {
		ready_unlink_inline(answered);
		answered->state = 0;
		ready_add_first(answered);
	}
}

/* In a traversal, which it ends. `answered`, a generation: it may have ended meanwhile. */
__noinline int ipc_receive_traversing(struct k_ipc_endpoint *endpoint, k_timeout_t timeout,
				      uint32_t answered, unsigned int key)
{
	struct k_thread *current = k_cpu.current;
	uint32_t lent_to;
	int result;

	if (current->ipc.served.wait_q.head != NULL) {
		ipc_wake(current->ipc.served.wait_q.head, -ECANCELED, key);
		sched_traversal_window(key);
	}
	lent_to = begin_serving(endpoint, current);
	sched_traversal_window(key);
	fall(lent_to, key);
	sched_traversal_window(key);
	if (accept_first(endpoint, &result, key)) {
		return ipc_end_traversal(result, key);
	}
	if (timeout.ticks == 0) {
		return ipc_end_traversal(-EBUSY, key);
	}
	sched_traversal_leave(key);
	wait_to_receive(endpoint, timeout, generation_thread(answered));
	return (int)sched_switch(current, k_cpu.best, key);
}

/* What others have to be told of, or bytes that are copied: in steps. */
static __noinline int receive_slow(struct k_ipc_endpoint *endpoint, k_timeout_t timeout,
				   unsigned int key)
{
	ipc_begin_traversal(&endpoint->callers.wait_q, true, key);
	return ipc_receive_traversing(endpoint, timeout, GENERATION_NOBODY, key);
}

int ipc_receive(struct k_ipc_endpoint *endpoint, k_timeout_t timeout, unsigned int key)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *sender = endpoint->callers.wait_q.head;

	if (sender == NULL && current->ipc.served.wait_q.head == NULL &&
	    sched_arm_first(timeout, -EAGAIN, key)) {
		sender = endpoint->callers.wait_q.head;
		/* Bound: D, it has come meanwhile. */
		if (sender != NULL) {
			sched_disarm();
		}
	}
	if (current->ipc.served.wait_q.head != NULL ||
	    (sender != NULL &&
	     (IPC_WORDS(sender)->size != 0 || !mutex_is_held_by(&endpoint->callers, current)))) {
		return receive_slow(endpoint, timeout, key);
	}
	(void)begin_serving(endpoint, current);
	if (sender != NULL) {
		if (sender->ipc.is_call) {
			(void)move(sender, &endpoint->callers, &current->ipc.served, false);
		}
		ipc_deliver_words(sender, current, IPC_WORDS(sender)->badge);
		accept(sender, TRAVERSAL_MASKED);
		sched_reschedule(key);
		return 0;
	}
	/* Model: ipc.receive_refused */
	return (int)sched_pend_inline(&endpoint->receivers, timeout, key, -EAGAIN);
}
