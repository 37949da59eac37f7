/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers, to whoever waits for one in the server's queue, and with them the next receipt; and the
 * end of a server. The usual one, of words alone to a caller that waits for as long as it takes, is
 * straight (ipc_reply_receive).
 */
#include "kernel/ipc/ipc.h"
#include "kernel/ipc/message.h"
#include "kernel/ipc/receive.h"
#include "kernel/hooks/thread_ipc.h"
#include "kernel/ipc/traversal.h"
#include "kernel/objects/mutex.h"
#include "kernel/sched/sched.h"

/* With bytes. In a traversal. NULL: who was to be answered waits no more. */
static int reply_traversing(struct k_thread *caller, unsigned int key)
{
	struct k_thread *current = k_cpu.current;
	int result = 0;

	if (caller == NULL) {
		return -ESRCH;
	}
	switch (ipc_copy(current, caller, 0, &current->ipc.served.wait_q, key)) {
	case IPC_COPIED:
		ipc_arrived(current, caller);
		ipc_wake(caller, 0, key);
		break;
	case IPC_NO_CAPACITY:
		ipc_wake(caller, -ENOSPC, key);
		result = -ENOSPC;
		break;
	/* Model: ipc.caller_fault */
	case IPC_FAULT_TO:
		ipc_wake(caller, -EFAULT, key);
		result = -ESRCH;
		break;
	/* Model: ipc.reply_fault */
	case IPC_FAULT_FROM:
		result = -EFAULT;
		break;
	case IPC_GONE:
		result = -ESRCH;
		break;
	}
	return result;
}

static __noinline int reply_long(unsigned int key)
{
	ipc_begin_traversal(&k_cpu.current->ipc.served.wait_q, false, key);
	return ipc_end_traversal(reply_traversing(k_cpu.current->ipc.served.wait_q.head, key), key);
}

/* Model: ipc.reply */
int ipc_reply(unsigned int key)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *caller = current->ipc.served.wait_q.head;

	/* Model: ipc.reply_to_nobody */
	if (caller == NULL) {
		arch_irq_unlock(key);
		return -ESRCH;
	}
	if (IPC_WORDS(current)->size != 0) {
		return reply_long(key);
	}
	ipc_deliver(current, caller, 0);
	sched_wake(caller, 0);
	sched_reschedule(key);
	return 0;
}

/*
 * Both in one traversal, so that nobody comes between the answer and the receipt, words alone, too:
 * who is answered, who falls by that, and who is received are a step each.
 */
static __noinline int reply_receive_slow(struct k_ipc_endpoint *endpoint, k_timeout_t timeout,
					 unsigned int key)
{
	struct k_thread *caller = k_cpu.current->ipc.served.wait_q.head;
	uint32_t generation;

	if (caller == NULL) {
		return ipc_receive(endpoint, timeout, key);
	}
	ipc_begin_traversal(&k_cpu.current->ipc.served.wait_q, true, key);
	caller = k_cpu.current->ipc.served.wait_q.head;
	generation = caller == NULL ? GENERATION_NOBODY : generation_of(caller);
	if (reply_traversing(caller, key) == -EFAULT || ipc_was_ended()) {
		return ipc_end_traversal(-EFAULT, key);
	}
	sched_traversal_window(key);
	return ipc_receive_traversing(endpoint, timeout, generation, key);
}

/*
 * The caller waits for as long as it takes, and is all that the server inherits from; so nobody
 * waits to be received where it received last, which is here. Nothing that is ready is more urgent
 * than the caller, which goes on at once. By generation: who received last may have ended, and the
 * server have its place.
 * Model: ipc.reply_receive.
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
		     !mutex_is_held_by(&endpoint->callers, current) ||
		     endpoint->receivers.head != NULL || k_cpu.best->prio < caller->prio ||
		     slice_is_on())) {
		return reply_receive_slow(endpoint, timeout, key);
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

/* Model: ipc.server_ends */
void ipc_thread_ended(struct k_thread *thread)
{
	struct k_mutex *served = &thread->ipc.served;

	contended_forget(served); /* its list may have been gone along */
	mutex_disown(served);
	served->wait_q.head->wait_flags = 0; /* nobody inherits while it leaves */
	sched_wake(served->wait_q.head, -EOWNERDEAD);
}
