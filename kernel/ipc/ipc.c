/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls, and who answers them. A thread that waits to be received, and one that waits for its answer, each
 * waits in the queue of something like a mutex: that of its endpoint's last receiver, and that of its
 * server. So who serves inherits, along chains and through mutexes, and what ends a wait there (time, an
 * abort) is told to whoever inherited; a server has nothing to forget when its caller goes, since the queue
 * is all that it has of it. Rejected: an object for each reply, which would have to be made, granted and
 * kept for calls that the server has no hand in ending; a capability that names the caller, which is that
 * with a generation.
 *
 * The usual call and the usual answer, of words alone between two threads that wait for one another, are
 * straight (call_fast, reply_receive_fast): all is looked at first, and then nothing is searched, queued or armed.
 */
#include "kernel/ipc/ipc.h"
#include "kernel/ipc/message.h"
#include "kernel/ipc/thread_ipc.h"
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

/* The end of a walk, whose thread may wait by now. Restores key; returns what its wait came to, if it did. */
static int end_walk(unsigned int key)
{
	struct k_thread *current = k_cpu.current;

	current->wake_value = 0;
	if (arch_may_switch(key)) {
		sched_walk_end(key);
	} else if (!thread_is_ready(current)) {
		(void)sched_switch(current, k_cpu.best, key);
	} else {
		sched_reschedule(key);
	}
	return (int)current->wake_value;
}

static bool was_ended(void)
{
	return (k_cpu.current->state & K_THREAD_DEAD) !=
	       0; /* by an interrupt: it goes no further */
}

/* ---- sending ---- */

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
	while ((receiver = endpoint->receivers.head) != NULL && !was_ended()) {
		copied = ipc_copy(current, receiver, receiver, &endpoint->receivers, key);
		if (copied == IPC_FAULT_TO) {
			sched_wake(receiver, -EFAULT);
		} else if (copied != IPC_GONE) {
			break;
		}
	}
	if (was_ended()) {
		return end_walk(key);
	}
	if (receiver == NULL && timeout.ticks != 0) {
		IPC_WORDS(current)->badge = gate->badge;
		mutex_wait_lending(&endpoint->callers, timeout);
	} else if (receiver != NULL && copied == IPC_COPIED) {
		received(gate, receiver, timeout);
	} else {
		(void)end_walk(key);
		return receiver == NULL ? -EBUSY : copied == IPC_NO_ROOM ? -ENOSPC : -EFAULT;
	}
	result = end_walk(key);
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

/* ---- receiving ---- */

/* `server` has a generation by now; its last caller has waited for an answer in vain. No switch. */
static void begin_serving(struct k_ipc_endpoint *endpoint, struct k_thread *server)
{
	struct k_mutex *served = &server->ipc.served;

	if (served->wait_q.head != NULL) {
		sched_wake(served->wait_q.head, -ECANCELED);
	}
	served->owner = server;
	served->generation = generation_of(server);
	mutex_move_waiters(&endpoint->callers, server);
}

/* The first that waits to be received, whose bytes are there: a caller waits on, for its answer. No switch. */
static void accept(struct k_ipc_endpoint *endpoint, struct k_thread *sender)
{
	struct k_thread *current = k_cpu.current;
	struct k_mutex *served = &current->ipc.served;

	ipc_deliver(sender, current, IPC_WORDS(sender)->badge);
	if (!sender->ipc.is_call) {
		sched_wake(sender, 0);
		return;
	}
	wait_q_remove(&endpoint->callers.wait_q, sender);
	if (endpoint->callers.wait_q.head == NULL) {
		contended_remove(current, &endpoint->callers);
	}
	sender->pended_on = &served->wait_q;
	wait_q_add(&served->wait_q, sender);
	contended_add(current, served);
	mutex_inherit(current);
}

/* Bytes of the first one that has them and can be received. True: done, with the result; in a walk. */
static bool accept_first(struct k_ipc_endpoint *endpoint, int *result, unsigned int key)
{
	struct k_thread *sender;

	/* Bound: who waits to be received; nobody joins them. */
	while ((sender = endpoint->callers.wait_q.head) != NULL && !was_ended()) {
		enum ipc_copied copied = ipc_copy(sender, k_cpu.current, sender,
						  &endpoint->callers.wait_q, key);

		if (copied == IPC_COPIED) {
			accept(endpoint, sender);
			*result = 0;
			return true;
		}
		if (copied == IPC_FAULT_TO) {
			*result = -EFAULT;
			return true;
		}
		if (copied != IPC_GONE) {
			sched_wake(sender, copied == IPC_NO_ROOM ? -ENOSPC : -EFAULT);
		}
		sched_walk_window(key);
	}
	*result = 0;
	return was_ended();
}

/* It waits to receive. Whom it has answered in the same call goes on at once, but for what is more urgent. */
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

/* In a walk, which it ends. */
static __noinline int receive_walking(struct k_ipc_endpoint *endpoint, k_timeout_t timeout,
				      struct k_thread *answered, unsigned int key)
{
	int result;

	if (accept_first(endpoint, &result, key)) {
		(void)end_walk(key);
		return result;
	}
	if (timeout.ticks == 0) {
		(void)end_walk(key);
		return -EBUSY;
	}
	wait_to_receive(endpoint, timeout, answered);
	return end_walk(key);
}

static int receive(struct k_ipc_endpoint *endpoint, k_timeout_t timeout, struct k_thread *answered,
		   unsigned int key)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *sender;

	begin_serving(endpoint, current);
	sender = endpoint->callers.wait_q.head;
	if (sender != NULL && IPC_WORDS(sender)->size != 0) {
		sched_walk_begin(key);
		return receive_walking(endpoint, timeout, answered, key);
	}
	if (sender != NULL) {
		accept(endpoint, sender);
		sched_reschedule(key);
		return 0;
	}
	if (timeout.ticks == 0) {
		sched_reschedule(key);
		return -EBUSY;
	}
	wait_to_receive(endpoint, timeout, answered);
	return (int)sched_switch(current, k_cpu.best, key);
}

int ipc_receive(struct k_ipc_endpoint *endpoint, k_timeout_t timeout, unsigned int key)
{
	return receive(endpoint, timeout, NULL, key);
}

/* ---- answering ---- */

/* With bytes. In a walk. */
static int reply_walking(struct k_thread *caller, unsigned int key)
{
	struct k_thread *current = k_cpu.current;
	int result = 0;

	switch (ipc_copy(current, caller, caller, &current->ipc.served.wait_q, key)) {
	case IPC_COPIED:
		ipc_deliver(current, caller, 0);
		sched_wake(caller, 0);
		break;
	case IPC_NO_ROOM:
		sched_wake(caller, -ENOSPC);
		result = -ENOSPC;
		break;
	case IPC_FAULT_TO:
		sched_wake(caller, -EFAULT);
		result = -ESRCH;
		break;
	case IPC_FAULT_FROM:
		result = -EFAULT;
		break;
	case IPC_GONE:
		result = -ESRCH;
		break;
	}
	return result;
}

static __noinline int reply_long(struct k_thread *caller, unsigned int key)
{
	int result;

	sched_walk_begin(key);
	result = reply_walking(caller, key);
	(void)end_walk(key);
	return result;
}

int ipc_reply(unsigned int key)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *caller = current->ipc.served.wait_q.head;

	if (caller == NULL) {
		arch_irq_unlock(key);
		return -ESRCH;
	}
	if (IPC_WORDS(current)->size != 0) {
		return reply_long(caller, key);
	}
	ipc_deliver(current, caller, 0);
	sched_wake(caller, 0);
	sched_reschedule(key);
	return 0;
}

/* Both in one walk, so that nobody comes between the answer and the receipt. */
static __noinline int reply_long_receive(struct k_ipc_endpoint *endpoint, k_timeout_t timeout,
					 struct k_thread *caller, unsigned int key)
{
	sched_walk_begin(key);
	if (reply_walking(caller, key) == -EFAULT || was_ended()) {
		(void)end_walk(key);
		return -EFAULT;
	}
	begin_serving(endpoint, k_cpu.current);
	return receive_walking(endpoint, timeout, caller, key);
}

static __noinline int reply_receive_otherwise(struct k_ipc_endpoint *endpoint, k_timeout_t timeout,
					      unsigned int key)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *caller = current->ipc.served.wait_q.head;

	if (caller != NULL && IPC_WORDS(current)->size != 0) {
		return reply_long_receive(endpoint, timeout, caller, key);
	}
	if (caller != NULL) {
		ipc_deliver(current, caller, 0);
		sched_wake(caller, 0);
	}
	return receive(endpoint, timeout, caller, key);
}

/*
 * The caller waits for as long as it takes, and is all that the server inherits from; nobody waits to be received, and
 * nothing that is ready is more urgent than the caller, which goes on at once.
 */
int ipc_reply_receive(struct k_ipc_endpoint *endpoint, k_timeout_t timeout, unsigned int key)
{
	struct k_thread *current = k_cpu.current;
	struct k_mutex *served = &current->ipc.served;
	struct k_thread *caller = served->wait_q.head;

	if (!FAST_PATHS ||
	    unlikely(caller == NULL || timeout.ticks != K_TICKS_FOREVER ||
		     IPC_WORDS(current)->size != 0 || caller->state != K_THREAD_PENDING ||
		     current->contended != served || served->next_contended != NULL ||
		     endpoint->callers.owner != current || endpoint->callers.wait_q.head != NULL ||
		     endpoint->receivers.head != NULL || k_cpu.best->prio < caller->prio ||
		     slice_is_on())) {
		return reply_receive_otherwise(endpoint, timeout, key);
	}
	sched_check();
	ipc_deliver(current, caller, 0);
	if (unlikely(current->state != 0)) {
		ready_unlink_inline(current);
	}
	current->contended = NULL;
	served->wait_q.head = NULL;
	caller->wait_flags = 0;
	caller->wake_value = 0;
	caller->state = 0;
	if (current->prio != current->base_prio) {
		current->prio = current->base_prio;
		sched_set_threshold(current);
	}
	current->state = K_THREAD_PENDING;
	current->pended_on = &endpoint->receivers;
	current->next = current;
	current->prev = current;
	endpoint->receivers.head = current;
	return (int)sched_switch(current, caller, key);
}

/* ---- the end ---- */

void ipc_thread_ended(struct k_thread *thread)
{
	struct k_mutex *served = &thread->ipc.served;

	contended_remove(thread, served);
	served->owner = NULL; /* nobody inherits while the caller leaves */
	sched_wake(served->wait_q.head, -EOWNERDEAD);
}
