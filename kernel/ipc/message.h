/* SPDX-License-Identifier: Apache-2.0 */
/* From one thread's hands into another's: words, and bytes of memory. Interrupts masked. */
#ifndef FOLIOT_KERNEL_IPC_MESSAGE_H
#define FOLIOT_KERNEL_IPC_MESSAGE_H

#include "kernel/base/kernel.h"
#include "kernel/hooks/thread_ipc.h"
#include <foliot/ipc.h>

/* What became of a message's bytes. */
enum ipc_copied {
	IPC_COPIED,
	IPC_NO_CAPACITY, /* longer than the receiver's capacity */
	IPC_FAULT_FROM, /* not, or no longer, the sender's memory */
	IPC_FAULT_TO, /* nor the receiver's */
	IPC_GONE, /* the one that waits was ended meanwhile, or the one that runs */
};

/*@ requires \valid_read(from) && \valid_read(to);
  @ assigns \nothing;
  @ ensures \result <==>
  @   IPC_WORDS(from)->size <= IPC_WORDS(to)->capacity || from->ipc.whose == IPC_FAULTS;
  @*/
static inline bool ipc_fits(const struct k_thread *from, const struct k_thread *to)
{
	return IPC_WORDS(from)->size <= IPC_WORDS(to)->capacity || from->ipc.whose == IPC_FAULTS;
}

/*
 * The bytes and words of `from` into the memory and the hands of `to`, one of which is the running
 * thread and the other waits in `wait_q`, which is the running thread's alone. In a traversal of
 * its (traversal.h). Where that is IPC_COPIED, ipc_arrived() is next.
 */
enum ipc_copied ipc_copy(struct k_thread *from, struct k_thread *to, uintptr_t badge,
			 const _wait_q_t *wait_q, unsigned int key);

/* They have all: until then it has a message of no bytes, and others may come to nothing. */
/*@ requires \valid_read(from) && \valid(to);
  @ assigns IPC_WORDS(to)->size;
  @ ensures IPC_WORDS(to)->size == \old(IPC_WORDS(from)->size);
  @*/
static inline void ipc_arrived(const struct k_thread *from, struct k_thread *to)
{
	IPC_WORDS(to)->size = IPC_WORDS(from)->size;
}

/* The words, once the bytes are there. */
/*@ requires \valid_read(from) && \valid(to) && \separated(from, to);
  @ assigns IPC_WORDS(to)->words[0 .. 3], IPC_WORDS(to)->badge;
  @ ensures \forall integer i; 0 <= i < 4 ==>
  @   IPC_WORDS(to)->words[i] == IPC_WORDS(from)->words[i];
  @ ensures IPC_WORDS(to)->badge == badge;
  @*/
static inline void ipc_deliver_words(const struct k_thread *from, struct k_thread *to,
				     uintptr_t badge)
{
	struct ipc_words *words = IPC_WORDS(to);
	const struct ipc_words *sent = IPC_WORDS(from);

	words->words[0] = sent->words[0];
	words->words[1] = sent->words[1];
	words->words[2] = sent->words[2];
	words->words[3] = sent->words[3];
	words->badge = badge;
}

static inline void ipc_deliver(const struct k_thread *from, struct k_thread *to, uintptr_t badge)
{
	ipc_deliver_words(from, to, badge);
	ipc_arrived(from, to);
}

#endif /* FOLIOT_KERNEL_IPC_MESSAGE_H */
