/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls and what is sent for no answer. A thread that waits to be received, and one that waits for
 * its answer, each waits in the queue of something like a mutex: that of its endpoint's last
 * receiver, and that of its server. So who serves inherits, along chains and through mutexes, and
 * what ends a wait there (time, an abort) is told to whoever inherited; a server has nothing to
 * forget when its caller goes, since the queue is all that it has of it. Rejected: an object for
 * each reply, which would have to be made, granted and kept for calls that the server has no hand
 * in ending; a capability that names the caller, which is that with a generation.
 *
 * The usual call, of words alone to a server that waits, is fast (ipc_call): all is looked at
 * first, and then nothing is searched, queued or armed.
 */
#include "kernel/ipc/ipc.h"
#include "kernel/ipc/message.h"
#include "kernel/hooks/thread_ipc.h"
#include "kernel/ipc/traversal.h"
#include "kernel/objects/mutex.h"
#include "kernel/sched/sched.h"
#include "kernel/time/timeout.h"

/* It waits to receive no longer, and is in no queue. */
static void end_receiving(struct k_thread *receiver)
{
	if ((receiver->state & K_THREAD_TIMED) != 0) {
		timeout_cancel(&receiver->timeout);
	}
	receiver->state &= (uint8_t)~(K_THREAD_PENDING | K_THREAD_TIMED);
	receiver->wake_value = 0;
	wait_q_remove(receiver->pended_on, receiver);
}

/* Nobody waits to receive: the caller does, and lends its priority to who received last. */
/* Model: ipc.queue */
static int queue(struct k_ipc_gate *gate, k_timeout_t timeout, unsigned int key)
{
	struct k_thread *current = k_cpu.current;

	/* Model: ipc.send_refused */
	if (timeout.ticks == 0) {
		arch_irq_unlock(key);
		return -EBUSY;
	}
	IPC_WORDS(current)->badge = gate->badge;
	mutex_wait_lending(&gate->endpoint->callers, timeout);
	return (int)sched_switch(current, k_cpu.best, key);
}

/*
 * Nobody waits to receive. Before the caller waits in the queue, with its time-out armed, the rest
 * of the row that it lends its priority to has it; not where its time is over. Returns who has come
 * to receive meanwhile, or NULL.
 */
static struct k_thread *look_ahead(const struct k_ipc_gate *gate, k_timeout_t timeout,
				   unsigned int key)
{
	struct k_ipc_endpoint *endpoint = gate->endpoint;

	/* Bound: D + 1, once, and anew where others ran while that row was gone along. */
	while (endpoint->receivers.head == NULL && timeout.ticks != 0 && !sched_is_over(timeout) &&
	       inherit_ahead(&endpoint->callers, key)) {
	}
	return endpoint->receivers.head;
}

/* The call is there: the receiver goes on, and the caller waits for it. No switch. */
/* Model: ipc.received */
static void received(struct k_ipc_gate *gate, struct k_thread *receiver, k_timeout_t timeout)
{
	struct k_thread *current = k_cpu.current;

	ipc_deliver(current, receiver, gate->badge);
	mutex_wait_lending(&receiver->ipc.served, timeout);
	end_receiving(receiver);
	if (thread_is_ready(receiver)) {
		ready_add_first(receiver); /* at once, but for what is more urgent */
	}
}

/* `receiver`, the first that waits, is the caller's from now on, and lends to it. */
static void take_in_hand(struct k_ipc_endpoint *endpoint, struct k_mutex *hand,
			 struct k_thread *receiver)
{
	struct k_thread *current = k_cpu.current;

	hand->generation = generation_of(current);
	wait_q_remove(&endpoint->receivers, receiver);
	receiver->pended_on = &hand->wait_q;
	receiver->wait_flags = WAIT_FLAG_MUTEX;
	wait_q_add(&hand->wait_q, receiver);
	contended_add(current, hand);
	mutex_lend(current, receiver->prio, TRAVERSAL_MASKED);
}

/* It waits to receive again, if it still waits. */
static void put_back(struct k_ipc_endpoint *endpoint, struct k_mutex *hand, unsigned int key)
{
	struct k_thread *receiver = hand->wait_q.head;

	if (receiver != NULL) {
		wait_q_remove(&hand->wait_q, receiver);
		contended_remove(hand);
		receiver->pended_on = &endpoint->receivers;
		receiver->wait_flags = 0;
		wait_q_add_first(&endpoint->receivers, receiver);
		mutex_inherit(k_cpu.current->generation, key);
	}
}

/*
 * To the first that waits and can be written to, which is in `hand` then, if it was; IPC_GONE:
 * nobody waits. In a traversal.
 */
static enum ipc_copied copy_to_first(const struct k_ipc_gate *gate, struct k_mutex *hand,
				     unsigned int key)
{
	struct k_ipc_endpoint *endpoint = gate->endpoint;
	struct k_thread *receiver;

	/* Bound: W, who waits to receive. */
	while ((receiver = endpoint->receivers.head) != NULL && !ipc_was_ended()) {
		enum ipc_copied copied;

		if (!ipc_fits(k_cpu.current, receiver)) {
			return IPC_NO_CAPACITY;
		}
		take_in_hand(endpoint, hand, receiver);
		copied = ipc_copy(k_cpu.current, receiver, gate->badge, &hand->wait_q, key);
		if (copied == IPC_COPIED) {
			return copied;
		}
		/* Model: ipc.receiver_fault */
		if (copied == IPC_FAULT_TO) {
			ipc_wake(receiver, -EFAULT, key);
			sched_traversal_window(key);
			continue;
		}
		put_back(endpoint, hand, key);
		/* Model: ipc.send_fault */
		if (copied != IPC_GONE) {
			return copied;
		}
	}
	return IPC_GONE;
}

/*
 * As mutex_wait_lending(), for its answer and as its only caller: `receiver`, in no queue, waits
 * for nobody itself.
 */
static void wait_alone(struct k_thread *current, struct k_thread *receiver, k_timeout_t timeout)
{
	struct k_mutex *served = &receiver->ipc.served;

	if ((current->state & K_THREAD_QUEUED) != 0) {
		ready_remove(current);
	}
	current->state |= K_THREAD_PENDING;
	current->wait_flags = WAIT_FLAG_MUTEX;
	current->pended_on = &served->wait_q;
	current->next = current;
	current->prev = current;
	served->wait_q.head = current;
	contended_add(receiver, served);
	if (timeout.ticks != K_TICKS_FOREVER) {
		sched_arm_timeout(current, timeout, -EAGAIN);
	}
	if (current->prio < receiver->prio) {
		sched_set_prio(receiver, current->prio);
	}
}

/*
 * The bytes are there: who is in `hand` goes on with the message, at once but for what is more
 * urgent, and the caller waits for its answer. In a traversal, which it leaves, with nothing let in
 * between.
 * Model: ipc.received.
 */
static int wait_for_answer(struct k_mutex *hand, k_timeout_t timeout, unsigned int key)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *receiver = hand->wait_q.head;

	ipc_arrived(current, receiver);
	end_receiving(receiver);
	receiver->wait_flags = 0;
	contended_remove(hand);
	if (arch_may_switch(key)) {
		sched_traversal_leave(key);
	} else {
		mutex_inherit(current->generation, TRAVERSAL_MASKED);
	}
	wait_alone(current, receiver, timeout);
	if (thread_is_ready(receiver)) {
		ready_add_first(receiver);
	}
	return (int)sched_switch(current, k_cpu.best, key);
}

/* A message with bytes: they are copied in steps. */
static __noinline int send_long(struct k_ipc_gate *gate, k_timeout_t timeout, unsigned int key)
{
	struct k_mutex hand = K_MUTEX_INITIALIZER;
	enum ipc_copied copied;

	/* Bound: D + 1, as look_ahead()'s. */
	do {
		ipc_begin_traversal(&gate->endpoint->receivers, true, key);
		copied = copy_to_first(gate, &hand, key);
		if (copied == IPC_COPIED) {
			if (k_cpu.current->ipc.is_call) {
				return wait_for_answer(&hand, timeout, key);
			}
			ipc_arrived(k_cpu.current, hand.wait_q.head);
			ipc_wake(hand.wait_q.head, 0, key);
			return ipc_end_traversal(0, key);
		}
		if (copied != IPC_GONE || ipc_was_ended()) {
			return ipc_end_traversal(copied == IPC_NO_CAPACITY ? -ENOSPC : -EFAULT,
						 key);
		}
		if (timeout.ticks == 0) {
			return ipc_end_traversal(-EBUSY, key);
		}
		(void)sched_traversal_stop(key); /* and one may have come to receive */
	} while (gate->endpoint->receivers.head != NULL ||
		 inherit_ahead(&gate->endpoint->callers, key));
	return queue(gate, timeout, key);
}

static __noinline int call_slow(struct k_ipc_gate *gate, k_timeout_t timeout, unsigned int key)
{
	struct k_thread *receiver = gate->endpoint->receivers.head;

	k_cpu.current->ipc.is_call = true;
	/* Model: ipc.call_refused */
	if (timeout.ticks == 0) {
		arch_irq_unlock(key);
		return -EBUSY;
	}
	if (IPC_WORDS(k_cpu.current)->size != 0) {
		return send_long(gate, timeout, key);
	}
	if (sched_arm_first(timeout, -EAGAIN, key)) {
		receiver = gate->endpoint->receivers.head;
	}
	if (receiver == NULL) {
		receiver = look_ahead(gate, timeout, key);
	}
	/* Bound: D, its time came in a window. */
	if (sched_is_over(timeout)) {
		arch_irq_unlock(key);
		return -EAGAIN;
	}
	if (receiver == NULL) {
		return queue(gate, timeout, key);
	}
	received(gate, receiver, timeout);
	return (int)sched_switch(k_cpu.current, k_cpu.best, key);
}

/*
 * One server waits, for as long as it takes, and inherits from nobody; nothing that is ready is
 * more urgent than the caller. The server runs at once, on the more urgent one's priority.
 */
int ipc_call(struct k_ipc_gate *gate, k_timeout_t timeout, unsigned int key)
{
	struct k_ipc_endpoint *endpoint = gate->endpoint;
	struct k_thread *current = k_cpu.current;
	struct k_thread *server = endpoint->receivers.head;

	if (!FAST_PATHS ||
	    unlikely(server == NULL || timeout.ticks != K_TICKS_FOREVER ||
		     IPC_WORDS(current)->size != 0 || server->state != K_THREAD_PENDING ||
		     server->next != server || server->contended != NULL ||
		     k_cpu.best->prio < current->prio || slice_is_on())) {
		return call_slow(gate, timeout, key);
	}
	sched_check();
	/* Model: ipc.received */
	ipc_deliver(current, server, gate->badge);
	if (unlikely(current->state != 0)) {
		ready_unlink_inline(current);
	}
	endpoint->receivers.head = NULL;
	current->state = K_THREAD_PENDING;
	current->wait_flags = WAIT_FLAG_MUTEX;
	current->pended_on = &server->ipc.served.wait_q;
	current->next = current;
	current->prev = current;
	server->ipc.served.wait_q.head = current;
	contended_add(server, &server->ipc.served);
	if (current->prio < server->prio) {
		server->prio = current->prio;
		sched_set_threshold(server);
	}
	server->state = 0;
	server->wake_value = 0;
	return (int)sched_switch(current, server, key);
}

int ipc_send(struct k_ipc_gate *gate, k_timeout_t timeout, unsigned int key)
{
	struct k_ipc_endpoint *endpoint = gate->endpoint;
	struct k_thread *current = k_cpu.current;
	struct k_thread *receiver = endpoint->receivers.head;

	current->ipc.is_call = false;
	if (IPC_WORDS(current)->size != 0) {
		return send_long(gate, timeout, key);
	}
	if (unlikely(receiver == NULL)) {
		(void)sched_arm_first(timeout, -EAGAIN, key);
		receiver = look_ahead(gate, timeout, key);
		if (receiver == NULL) {
			/* Bound: D, its time came in a window. */
			if (timeout.ticks != 0 && sched_is_over(timeout)) {
				arch_irq_unlock(key);
				return -EAGAIN;
			}
			return queue(gate, timeout, key);
		}
		sched_disarm();
	}
	ipc_deliver(current, receiver, gate->badge);
	current->wake_value = 0;
	return (int)sched_wake_first(&endpoint->receivers, 0, key);
}
