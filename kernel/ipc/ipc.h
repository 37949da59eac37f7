/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages, as the boundary to user mode sees them: the API's calls with the message in the running thread
 * (k_thread.ipc) in place of a pointer, going in and coming out. The sizes were looked at. Interrupts
 * masked on entry; `key` is restored.
 */
#ifndef FOLIOT_KERNEL_IPC_H
#define FOLIOT_KERNEL_IPC_H

#include "kernel/core/kernel.h"
#include <foliot/ipc.h>

int ipc_call(struct k_ipc_gate *gate, k_timeout_t timeout, unsigned int key);
int ipc_send(struct k_ipc_gate *gate, k_timeout_t timeout, unsigned int key);
int ipc_receive(struct k_ipc_endpoint *endpoint, k_timeout_t timeout, unsigned int key);
int ipc_reply(unsigned int key);
int ipc_reply_receive(struct k_ipc_endpoint *endpoint, k_timeout_t timeout, unsigned int key);

/* What the running thread sends, and where it receives. `is_user`: `data` is its own memory, or it lies. */
static inline void ipc_take_in(const struct k_ipc_message *message, bool is_user)
{
	struct thread_ipc *ipc = &k_cpu.current->ipc;

	ipc->words[0] = message->words[0];
	ipc->words[1] = message->words[1];
	ipc->words[2] = message->words[2];
	ipc->words[3] = message->words[3];
	ipc->data = message->data;
	ipc->size = message->size;
	ipc->room = message->room;
	ipc->is_user = is_user;
}

static inline void ipc_give_out(struct k_ipc_message *message)
{
	const struct thread_ipc *ipc = &k_cpu.current->ipc;

	message->words[0] = ipc->words[0];
	message->words[1] = ipc->words[1];
	message->words[2] = ipc->words[2];
	message->words[3] = ipc->words[3];
	message->badge = ipc->badge;
	message->size = ipc->size;
}

#endif /* FOLIOT_KERNEL_IPC_H */
