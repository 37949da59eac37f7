/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Synchronous messages between threads (CONFIG_IPC), of the same memory domain or of two.
 *
 * A server receives from an endpoint. Clients call it through gates, each of which leads to one
 * endpoint and carries a badge that the server sees: by it, it knows who calls. Endpoint and gate
 * are objects of their own, so the right to receive and the right to call are two: a user thread
 * may receive from the endpoints, and call through the gates, that it was granted
 * (k_object_access_grant()), and there is no other way to either.
 *
 * A message is four words, which ports that can carry in registers, and up to
 * CONFIG_IPC_MESSAGE_MAX bytes besides, which are copied once, straight from the one's memory into
 * the other's. Nothing is kept in between: who sends waits until somebody receives.
 *
 * A server answers the one call that it has received. From the moment that a thread waits for it,
 * the server runs at that thread's priority if its own is less urgent, as the owner of a mutex
 * does, and along chains of calls and mutexes as far as mutexes inherit. Threads that queue for an
 * endpoint lend theirs to the thread that received from it last.
 *
 * Who calls and dies, or gives up by its time-out, is no longer there to be answered: -ESRCH.
 * Who dies while it serves a call ends that call: -EOWNERDEAD. A circle of calls ends by a time-out
 * only.
 */
#ifndef FOLIOT_IPC_H
#define FOLIOT_IPC_H

#include <foliot/time.h>
#include <foliot/mutex.h>
#include <foliot/obj_core.h>
#include <foliot/object.h>
#include <foliot/wait_q.h>

struct k_thread;

/** Words of a message. */
#define K_IPC_WORDS 4

/** A message, out or in. */
struct k_ipc_message {
	uintptr_t words[K_IPC_WORDS];
	uintptr_t badge; /**< received: of the gate that it came through; of a reply: 0 */
	void *data;      /**< bytes besides: sent from there, and received there */
	size_t size;     /**< bytes to send; received: how many came */
	size_t capacity;     /**< bytes that may be received at `data`; 0: none */
};

/** Where a server receives. */
struct k_ipc_endpoint {
	struct k_mutex
		callers; /* who waits to be received: as for a mutex of the last receiver's */
	_wait_q_t receivers;
	K_OBJ_CORE_MEMBER
	K_OBJECT_MEMBER
};

/** What leads to an endpoint, and says which way somebody came. */
struct k_ipc_gate {
	struct k_ipc_endpoint *endpoint;
	uintptr_t badge;
	K_OBJ_CORE_MEMBER
	K_OBJECT_MEMBER
};

/** What a k_ipc_endpoint is initialised with where it is defined by hand. */
#define K_IPC_ENDPOINT_INITIALIZER \
	{K_MUTEX_INITIALIZER, WAIT_Q_INIT K_OBJ_CORE_INIT_ K_OBJECT_INIT_}
/** Define an endpoint, ready before any code runs; at file scope. */
#define K_IPC_ENDPOINT_DEFINE(name)                              \
	struct k_ipc_endpoint name = K_IPC_ENDPOINT_INITIALIZER; \
	K_OBJ_CORE_STATIC_(name, ipc_endpoint)
/** Define a gate to `endpoint_`, ready before any code runs; at file scope. */
#define K_IPC_GATE_DEFINE(name, endpoint_, badge_)                                       \
	struct k_ipc_gate name = {(endpoint_), (badge_)K_OBJ_CORE_INIT_ K_OBJECT_INIT_}; \
	K_OBJ_CORE_STATIC_(name, ipc_gate)

/** Prepare an endpoint, with nobody there. Kernel threads only. Context: either. */
void k_ipc_endpoint_init(struct k_ipc_endpoint *endpoint);
/** Prepare a gate. The endpoint lives as long as it does. Kernel threads only. Context: either. */
void k_ipc_gate_init(struct k_ipc_gate *gate, struct k_ipc_endpoint *endpoint, uintptr_t badge);

/**
 * Send a message and wait for its answer, which takes the message's place. A receiver that waits
 * runs at once. The time-out is for both together. Returns 0; -EBUSY: K_NO_WAIT, which an answer
 * cannot be; -EAGAIN: timed out; -EINVAL: more than CONFIG_IPC_MESSAGE_MAX bytes; -ENOSPC: longer
 * than the receiver's capacity, or the answer than the caller's; -EFAULT: bytes in memory that is
 * no longer the caller's (memory that is not to begin with ends a user thread); -ECANCELED: the
 * server received anew and has not answered; -EOWNERDEAD: it ended. Context: thread (asserted:
 * ipc-in-isr).
 */
int k_ipc_call(struct k_ipc_gate *gate, struct k_ipc_message *message, k_timeout_t timeout);

/**
 * Send a message and wait until it is received, for no answer.
 * Returns 0; -EBUSY: nobody waits to receive, and K_NO_WAIT was given; -EAGAIN, -EINVAL, -ENOSPC,
 * -EFAULT as k_ipc_call().
 * Context: thread (asserted: ipc-in-isr).
 */
int k_ipc_send(struct k_ipc_gate *gate, const struct k_ipc_message *message, k_timeout_t timeout);

/**
 * Wait for a message. Was it a call, its caller waits for k_ipc_reply(). A call that is not
 * answered by now ends with -ECANCELED. What is longer than the capacity is refused to who sends
 * it. Returns 0; -EBUSY: nobody waits to send, and K_NO_WAIT was given; -EAGAIN: timed out;
 * -EFAULT: the capacity is in memory that is no longer the caller's. Context: thread (asserted:
 * ipc-in-isr).
 */
int k_ipc_receive(struct k_ipc_endpoint *endpoint, struct k_ipc_message *message,
		  k_timeout_t timeout);

/**
 * Answer the call that was received last. The caller of it goes on as any thread that is woken.
 * Returns 0; -ESRCH: nobody waits for it: it was no call, is answered already, or who called has
 * died, timed out, or has lost the memory for the answer; -EINVAL as k_ipc_call(); -ENOSPC: longer
 * than the caller's capacity, who gets the same; -EFAULT: bytes in memory that is no longer the
 * server's, and the caller waits on.
 * Context: thread (asserted: ipc-in-isr).
 */
int k_ipc_reply(const struct k_ipc_message *message);

/**
 * k_ipc_reply() and k_ipc_receive() in one, the loop of a server: the answer is what is in
 * `message`, and the next message takes its place. An answer that nobody waits for, or that does
 * not fit, is dropped.
 * Returns as k_ipc_receive(); -EINVAL, -EFAULT: as k_ipc_reply(), and nothing was received.
 * Context: thread (asserted: ipc-in-isr).
 */
int k_ipc_reply_receive(struct k_ipc_endpoint *endpoint, struct k_ipc_message *message,
			k_timeout_t timeout);

/* ---- faults as messages: of user threads, in user mode ---- */

/**
 * What a user thread's fault was: word 0 of its message. Word 1 is the address that it is about, or
 * 0.
 */
enum k_ipc_fault {
	K_IPC_FAULT_LOAD = 1, /**< read where it may not */
	K_IPC_FAULT_STORE, /**< wrote where it may not */
	K_IPC_FAULT_ACCESS, /**< one of both: the core does not say which */
	K_IPC_FAULT_EXECUTE, /**< executed what it may not: the address is the pc */
	K_IPC_FAULT_INSTRUCTION, /**< an instruction that there is not, or not in user mode */
	K_IPC_FAULT_ALIGNMENT, /**< an access that is not aligned as the core wants it */
	K_IPC_FAULT_BREAKPOINT, /**< a breakpoint's instruction */
	K_IPC_FAULT_STACK, /**< below the end of its stack */
	K_IPC_FAULT_OTHER, /**< what the core has besides; word 3 says what */
};

/** the word with enum k_ipc_fault; of an answer: K_IPC_FAULT_RESUME, or the thread ends */
#define K_IPC_FAULT_KIND    0
#define K_IPC_FAULT_ADDRESS 1 /**< the word with the address */
#define K_IPC_FAULT_PC \
	2 /**< the word with the pc; of an answer: where the thread goes on, in user mode */
#define K_IPC_FAULT_CAUSE 3 /**< the word with what the core says: mcause; CFSR */

/**
 * Words of the registers that come as the message's bytes where the handler has room for them, at
 * most; its size says how many there are. RISC-V: [n] is xn, [0] the pc. Cortex-M: r0 to r12, sp,
 * lr, pc and xPSR. AArch64: x0 to x30 and sp. x86-64: rax, rbx, rcx, rdx, rsi, rdi, rbp, rsp, and
 * r8 to r15.
 */
#define K_IPC_FAULT_REGISTERS 33

/** Word 0 of an answer that lets the thread go on. */
#define K_IPC_FAULT_RESUME 0

/**
 * Have a user thread's faults delivered through `gate`: it then calls, as k_ipc_call() does, with
 * the gate's badge and the four words above, and waits for an answer for `timeout`. The answer
 * K_IPC_FAULT_RESUME lets it go on at the pc of the answer, with all other registers as they were,
 * or, as far as the answer has bytes, as these say: in the order in which they came, without the
 * pc, which is the word; on Cortex-M without sp, and of xPSR the flags. tp on RISC-V and x18 on
 * AArch64 are the kernel's. Any other answer, a time-out, a handler that has died or refuses, and a
 * fault of who would have to handle its own, end the thread with a report, as without a handler. So
 * does what leaves nothing to go on with: on Cortex-M a stack without room for the core's frame,
 * and a late bus error. What the kernel refuses in a system call is no fault.
 *
 * The gate needs no right of the thread's, and lives as long as the thread. NULL: none, as a new
 * thread.
 * Returns 0; -EINVAL: it is no user thread; -ENOTSUP: a port that delivers none.
 * Context: either, kernel threads only.
 */
int k_ipc_fault_gate_set(struct k_thread *thread, struct k_ipc_gate *gate, k_timeout_t timeout);

#ifdef CONFIG_IPC
/** Internal: what a thread sends, or has received. */
struct ipc_words {
	uintptr_t words[K_IPC_WORDS];
	uintptr_t badge;
	size_t size; /* bytes besides; 0 but for the time of a call with some */
	size_t capacity; /* for those that may come; likewise */
};

/** Internal: a thread's part in messages. */
struct thread_ipc {
	struct k_mutex served; /* whose call it serves waits there, as for a mutex of its own */
#ifdef CONFIG_USERSPACE
	/*
	 * What it called through and received from last, by a right of its own that it has still
	 * (kernel/hooks/thread_ipc.h).
	 */
	const struct k_ipc_gate *gate;
	const struct k_ipc_endpoint *endpoint;
	struct k_ipc_gate *fault_gate;
	k_timeout_t fault_timeout;
#else
	struct ipc_words message;
#endif
	void *data;
#ifdef CONFIG_ARCH_IPC_REGISTERS
	/*
	 * So much at `data` was its own, to be written too, when user_memory_changes was that; 0:
	 * has to be looked at. With CONFIG_ARCH_IPC_LONG_REGISTERS what comes there comes by
	 * registers then, and is copied there where it is 0.
	 */
	uintptr_t own_since;
	size_t own_size;
#endif
	bool is_call; /* what it sends, it wants an answer to */
	int8_t whose; /* what is at `data`: enum ipc_whose */
};
#endif

#endif /* FOLIOT_IPC_H */
