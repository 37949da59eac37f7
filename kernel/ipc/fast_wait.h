/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What fast calls and answers look at, and what they change: inline, for those of words
 * (fast.c) and those with bytes besides (kernel/ipc/fast_bytes.c), which are compiled
 * so that they leave the words' registers alone.
 */
#ifndef FOLIOT_KERNEL_IPC_FAST_WAIT_H
#define FOLIOT_KERNEL_IPC_FAST_WAIT_H

#include "kernel/ipc/ipc.h"
#include "kernel/hooks/thread_ipc.h"
#include "kernel/objects/mutex.h"
#include "kernel/sched/sched.h"

#ifdef __clang_analyzer__
#define FAST_IS_THERE FAST_PATHS /* as there (sched.h) */
#else
#define FAST_IS_THERE (FAST_PATHS && !IS_ENABLED(CONFIG_SWITCH_HOOKS))
#endif

#ifdef CONFIG_ARCH_IPC_REGISTERS
/* Are `bytes` at `data` what the running thread waited with the last time, and its own still? */
static ALWAYS_INLINE bool fast_is_known(const struct thread_ipc *ipc, const void *data,
					size_t bytes, uintptr_t changes)
{
	return likely(ipc->data == data) && likely(ipc->own_since == changes) &&
	       likely(ipc->own_size >= bytes);
}
#endif

/* The running thread waits as the only one in `wait_q`. */
static inline void fast_wait(struct k_thread *current, _wait_q_t *wait_q)
{
	if (unlikely(current->state != 0)) {
		ready_unlink_inline(current);
	}
	current->state = K_THREAD_PENDING;
	current->pended_on = wait_q;
	current->next = current;
	current->prev = current;
	wait_q->head = current;
}

/* ---- a call ---- */

/*
 * Who waits to receive from the gate's endpoint, alone, and runs at once if called; NULL: it is not
 * so.
 */
static inline struct k_thread *fast_receiver(const struct k_ipc_gate *gate,
					     const struct k_thread *current)
{
	struct k_thread *server;

	if (!FAST_IS_THERE) {
		return NULL;
	}
	server = gate->endpoint->receivers.head;
	if (unlikely(server == NULL || server->state != K_THREAD_PENDING ||
		     server->next != server || k_cpu.best->prio < current->prio || slice_is_on())) {
		return NULL;
	}
	return server;
}

/* The same, of a gate that user mode has named. */
static inline struct k_thread *fast_server(const struct k_ipc_gate *gate,
					   const struct k_thread *current)
{
	if (unlikely(!ipc_gate_was_usable(current, gate))) {
		return NULL;
	}
	return fast_receiver(gate, current);
}

static inline void fast_call(const struct k_ipc_gate *gate, struct k_thread *current,
			     struct k_thread *server)
{
	IPC_WORDS(server)->badge = gate->badge;
	fast_wait(current, &server->ipc.served.wait_q);
	current->wait_flags = WAIT_FLAG_MUTEX;
	gate->endpoint->receivers.head = NULL;
	contended_add(server, &server->ipc.served);
	server->state = 0;
	if (unlikely(current->prio < server->prio)) {
		server->prio = current->prio;
		sched_set_threshold(server);
	}
}

/* ---- an answer, and the next receipt ---- */

/* Whom the running thread answers, and which goes on at once; NULL: it is not so. */
static inline struct k_thread *fast_caller(const struct k_ipc_endpoint *endpoint,
					   const struct k_thread *current)
{
	const struct k_mutex *served = &current->ipc.served;
	struct k_thread *caller = served->wait_q.head;

	if (!FAST_IS_THERE || unlikely(!ipc_endpoint_was_usable(current, endpoint))) {
		return NULL;
	}
	/*
	 * Nobody queues there: the endpoint's last receiver, which lives, would inherit by that,
	 * too.
	 */
	if (unlikely(caller == NULL || caller->state != K_THREAD_PENDING ||
		     current->contended != served || served->next_contended != NULL ||
		     !mutex_is_held_by(&endpoint->callers, current) ||
		     endpoint->receivers.head != NULL || k_cpu.best->prio < caller->prio ||
		     slice_is_on())) {
		return NULL;
	}
	return caller;
}

static inline void fast_reply_receive(struct k_ipc_endpoint *endpoint, struct k_thread *current,
				      struct k_thread *caller)
{
	IPC_WORDS(caller)->badge = 0;
	current->ipc.served.wait_q.head = NULL;
	current->contended = NULL;
	caller->wait_flags = 0;
	caller->state = 0;
	fast_wait(current, &endpoint->receivers);
	if (unlikely(current->prio != current->base_prio)) {
		current->prio = current->base_prio;
		sched_set_threshold(current);
	}
}

#endif /* FOLIOT_KERNEL_IPC_FAST_WAIT_H */
