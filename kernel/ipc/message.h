/* SPDX-License-Identifier: Apache-2.0 */
/* From one thread's hands into another's: words, and bytes of memory. Interrupts masked. */
#ifndef FOLIOT_KERNEL_IPC_MESSAGE_H
#define FOLIOT_KERNEL_IPC_MESSAGE_H

#include "kernel/core/kernel.h"
#include "kernel/ipc/thread_ipc.h"
#include <foliot/ipc.h>

/* What became of a message's bytes. */
enum ipc_copied {
	IPC_COPIED,
	IPC_NO_ROOM, /* longer than the receiver's room */
	IPC_FAULT_FROM, /* not, or no longer, the sender's memory */
	IPC_FAULT_TO, /* nor the receiver's */
	IPC_GONE, /* the one that waits was ended meanwhile, or the one that runs */
};

static inline bool ipc_fits(const struct k_thread *from, const struct k_thread *to)
{
	return IPC_WORDS(from)->size <= IPC_WORDS(to)->room || from->ipc.whose == IPC_FAULTS;
}

/*
 * The bytes of `from` into the room of `to`, one of which is the running thread and the other, `waiter`, waits
 * in `wait_q`, which is the running thread's alone. In a walk of its (walk.h).
 */
enum ipc_copied ipc_copy(struct k_thread *from, const struct k_thread *to,
			 const struct k_thread *waiter, const _wait_q_t *wait_q, unsigned int key);

/* The words, once the bytes are there. */
static inline void ipc_deliver(const struct k_thread *from, struct k_thread *to, uintptr_t badge)
{
	struct ipc_words *words = IPC_WORDS(to);
	const struct ipc_words *sent = IPC_WORDS(from);

	words->words[0] = sent->words[0];
	words->words[1] = sent->words[1];
	words->words[2] = sent->words[2];
	words->words[3] = sent->words[3];
	words->badge = badge;
	words->size = sent->size;
}

#endif /* FOLIOT_KERNEL_IPC_MESSAGE_H */
