/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls and what is sent for no answer. A thread that waits to be received, and one that waits for its answer, each
 * waits in the queue of something like a mutex: that of its endpoint's last receiver, and that of its
 * server. So who serves inherits, along chains and through mutexes, and what ends a wait there (time, an
 * abort) is told to whoever inherited; a server has nothing to forget when its caller goes, since the queue
 * is all that it has of it. Rejected: an object for each reply, which would have to be made, granted and
 * kept for calls that the server has no hand in ending; a capability that names the caller, which is that
 * with a generation.
 *
 * The usual call, of words alone to a server that waits, is straight (ipc_call): all is looked at first, and then nothing is
 * searched, queued or armed.
 */
#include "kernel/ipc/ipc.h"
#include "kernel/ipc/message.h"
#include "kernel/ipc/thread_ipc.h"
#include "kernel/ipc/walk.h"
#include "kernel/objects/mutex.h"
#include "kernel/sched/sched.h"
#include "kernel/time/timeout.h"

/* It waits to receive no longer, and is in no queue. */
static void end_receiving(struct k_ipc_endpoint *endpoint, struct k_thread *receiver)
{
	if ((receiver->state & K_THREAD_TIMED) != 0) {
		timeout_cancel(&receiver->timeout);
	}
	receiver->state &= (uint8_t)~(K_THREAD_PENDING | K_THREAD_TIMED);
	receiver->wake_value = 0;
	wait_q_remove(&endpoint->receivers, receiver);
}
/* Nobody waits to receive: the caller does, and lends its priority to who received last. */
static int queue(struct k_ipc_gate *gate, k_timeout_t timeout, unsigned int key)
{
	struct k_thread *current = k_cpu.current;

	if (timeout.ticks == 0) {
		arch_irq_unlock(key);
		return -EBUSY;
	}
	IPC_WORDS(current)->badge = gate->badge;
	mutex_wait_lending(&gate->endpoint->callers, timeout);
	return (int)sched_switch(current, k_cpu.best, key);
}

/* The message is there: the receiver goes on, and a caller waits for it. No switch. */
static void received(struct k_ipc_gate *gate, struct k_thread *receiver, k_timeout_t timeout)
{
	struct k_thread *current = k_cpu.current;

	ipc_deliver(current, receiver, gate->badge);
	if (!current->ipc.is_call) {
		sched_wake(receiver, 0);
		return;
	}
	mutex_wait_lending(&receiver->ipc.served, timeout);
	end_receiving(gate->endpoint, receiver);
	if (thread_is_ready(receiver)) {
		ready_add_first(receiver); /* at once, but for what is more urgent */
	}
}

/* A message with bytes: they are copied with interrupts open, and nobody is switched to meanwhile. */
static __noinline int send_long(struct k_ipc_gate *gate, k_timeout_t timeout, unsigned int key)
{
	struct k_ipc_endpoint *endpoint = gate->endpoint;
	struct k_thread *current = k_cpu.current;
	enum ipc_copied copied = IPC_GONE;
	struct k_thread *receiver;
	int result;

	sched_walk_begin(key);
	/* Bound: who waits to receive; nobody joins them. */
	while ((receiver = endpoint->receivers.head) != NULL && !ipc_was_ended()) {
		copied = ipc_copy(current, receiver, receiver, &endpoint->receivers, key);
		if (copied == IPC_FAULT_TO) {
			sched_wake(receiver, -EFAULT);
		} else if (copied != IPC_GONE) {
			break;
		}
	}
	if (ipc_was_ended()) {
		return ipc_end_walk(key);
	}
	if (receiver == NULL && timeout.ticks != 0) {
		IPC_WORDS(current)->badge = gate->badge;
		mutex_wait_lending(&endpoint->callers, timeout);
	} else if (receiver != NULL && copied == IPC_COPIED) {
		received(gate, receiver, timeout);
	} else {
		(void)ipc_end_walk(key);
		return receiver == NULL ? -EBUSY : copied == IPC_NO_ROOM ? -ENOSPC : -EFAULT;
	}
	result = ipc_end_walk(key);
	return result;
}

static __noinline int call_otherwise(struct k_ipc_gate *gate, k_timeout_t timeout, unsigned int key)
{
	struct k_thread *receiver = gate->endpoint->receivers.head;

	k_cpu.current->ipc.is_call = true;
	if (timeout.ticks == 0) {
		arch_irq_unlock(key);
		return -EBUSY;
	}
	if (IPC_WORDS(k_cpu.current)->size != 0) {
		return send_long(gate, timeout, key);
	}
	if (receiver == NULL) {
		return queue(gate, timeout, key);
	}
	received(gate, receiver, timeout);
	return (int)sched_switch(k_cpu.current, k_cpu.best, key);
}

/*
 * One server waits, for as long as it takes, and inherits from nobody; nothing that is ready is more urgent
 * than the caller. The server runs at once, on the more urgent one's priority.
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
		return call_otherwise(gate, timeout, key);
	}
	sched_check();
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
	if (receiver == NULL) {
		return queue(gate, timeout, key);
	}
	ipc_deliver(current, receiver, gate->badge);
	current->wake_value = 0;
	return (int)sched_wake_first(&endpoint->receivers, 0, key);
}
