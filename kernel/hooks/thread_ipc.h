/* SPDX-License-Identifier: Apache-2.0 */
/* What a thread's life, and that of its rights, tell messages. Nothing without CONFIG_IPC. */
#ifndef FOLIOT_KERNEL_THREAD_IPC_H
#define FOLIOT_KERNEL_THREAD_IPC_H

#include "kernel/base/kernel.h"

/* Whose a message's bytes are; a user's have a sign of their own, which is what is asked. */
enum ipc_whose {
	IPC_USERS = -1, /* and looked at */
	IPC_KERNELS,
	/* its thread's registers, which go to who has room for them, and to nobody else */
	IPC_FAULTS,
};

#ifdef CONFIG_IPC
static inline bool ipc_bytes_are_users(const struct k_thread *thread)
{
	return thread->ipc.whose < 0;
}
#endif

/* The words in a thread's hands: a user's lie where assembly finds them. */
#ifdef CONFIG_USERSPACE
#define IPC_WORDS(thread) (&(thread)->user.message)
#else
#define IPC_WORDS(thread) (&(thread)->ipc.message)
#endif

/*
 * A client calls through the same gate again and again, and a server receives from the same
 * endpoint. So the one that was looked at last, and that the thread may use by a right of its own,
 * stands in its block, and is forgotten with the right: whatever takes a right from a thread, the
 * object's end included, passes object_set_grant() (kernel/access/object_rights.c) or begins the
 * thread's rights anew. One of each kind, or a gate would pass for an endpoint.
 */
#if defined(CONFIG_IPC) && defined(CONFIG_USERSPACE)
static inline void ipc_rights_forget(struct k_thread *thread)
{
	thread->ipc.gate = NULL;
	thread->ipc.endpoint = NULL;
}

static inline void ipc_fault_forget(struct k_thread *thread)
{
	thread->ipc.fault_gate = NULL;
}

/*
 * Its capacity is looked at anew, and what comes for it from now on is copied there, not put into
 * its registers: fast_bytes.c.
 */
static inline void ipc_capacity_is_memory(struct k_thread *thread)
{
#ifdef CONFIG_ARCH_IPC_REGISTERS
	thread->ipc.own_since = 0;
#endif
}

/* A fault of user mode, as a port has found it, and in its keeping until the thread goes on. */
struct ipc_fault {
	uintptr_t words[K_IPC_WORDS]; /* K_IPC_FAULT_KIND and so on */
	uintptr_t *registers; /* of the port's, as the handler sees them and may change them */
	size_t size; /* their bytes; of the answer, how many it brought */
};

/* Is a fault of the running thread's, which is a user's, to be delivered? */
static inline bool ipc_fault_is_handled(void)
{
	return k_cpu.current != NULL && (k_cpu.current->options & K_USER) != 0 &&
	       k_cpu.current->ipc.fault_gate != NULL;
}

/*
 * In the faulting thread, on its stack of system calls, with interrupts open. Returns where it goes
 * on, if it does. Weak: a program that sets no gate does not carry it.
 */
uintptr_t ipc_fault_deliver(struct ipc_fault *fault) __attribute__((weak));

/*
 * The same for the usual case, masked, for ports that have a fast path: a handler waits for
 * words alone, and for as long as it takes. Returns it, which runs from now on, with the fault's
 * words and a badge that is in its block, while the running thread waits in its place; whoever
 * wakes that by another way than the port's calls ipc_fault_answered(). NULL: nothing is changed,
 * and ipc_fault_deliver() does it.
 */
struct k_thread *ipc_fault_fast(struct ipc_fault *fault) __attribute__((weak));

/*
 * Where the running thread goes on, whose wait has come to `result`, as ipc_fault_deliver().
 * Interrupts open.
 */
uintptr_t ipc_fault_answered(struct ipc_fault *fault, int result) __attribute__((weak));

static inline bool ipc_gate_was_usable(const struct k_thread *thread, const struct k_ipc_gate *gate)
{
	return likely(thread->ipc.gate == gate) && likely(gate != NULL);
}

static inline bool ipc_endpoint_was_usable(const struct k_thread *thread,
					   const struct k_ipc_endpoint *endpoint)
{
	return likely(thread->ipc.endpoint == endpoint) && likely(endpoint != NULL);
}
#else
static inline void ipc_rights_forget(struct k_thread *thread)
{
}

static inline void ipc_fault_forget(struct k_thread *thread)
{
}

static inline void ipc_capacity_is_memory(struct k_thread *thread)
{
}
#endif

#ifdef CONFIG_IPC
/* It serves nobody yet. */
static inline void ipc_thread_created(struct k_thread *thread)
{
	thread->ipc.served.wait_q.head = NULL;
	thread->ipc.served.lock_count = 0;
	IPC_WORDS(thread)->size = 0;
	IPC_WORDS(thread)->capacity = 0;
	thread->ipc.whose = IPC_KERNELS;
	ipc_capacity_is_memory(thread);
	ipc_rights_forget(thread);
	ipc_fault_forget(thread);
}

/*
 * It ends: whose call it serves is told. Before what it has inherited is looked at. Weak: a program
 * without messages does not carry it. Interrupts masked.
 */
void ipc_thread_ended(struct k_thread *thread) __attribute__((weak));

static inline void ipc_thread_ends(struct k_thread *thread)
{
	if (unlikely(thread->ipc.served.wait_q.head != NULL)) {
		ipc_thread_ended(thread);
	}
}
#else
static inline void ipc_thread_created(struct k_thread *thread)
{
}

static inline void ipc_thread_ends(struct k_thread *thread)
{
}
#endif

#endif /* FOLIOT_KERNEL_THREAD_IPC_H */
