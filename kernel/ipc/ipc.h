/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages, as the boundary to user mode sees them: the API's calls with the message in the running
 * thread (k_thread.ipc) in place of a pointer, going in and coming out. The sizes were looked at.
 * Interrupts masked on entry; `key` is restored.
 */
#ifndef FOLIOT_KERNEL_IPC_H
#define FOLIOT_KERNEL_IPC_H

#include "kernel/base/kernel.h"
#include "kernel/ipc/message.h"
#include <foliot/ipc.h>

/*@ predicate sends_nothing{L} = IPC_WORDS(k_cpu.current)->size == 0;
  @ predicate takes_nothing{L} = IPC_WORDS(k_cpu.current)->capacity == 0;
  @ predicate hands_are_empty{L} = sends_nothing{L} && takes_nothing{L};
  @ predicate all_is_sent{L} = IPC_WORDS(k_cpu.current)->size == asked_size;
  @ predicate all_has_room{L} = IPC_WORDS(k_cpu.current)->capacity == asked_capacity;
  @ predicate hands_are_own{L} =
  @   IPC_WORDS(k_cpu.current)->size <= CONFIG_IPC_MESSAGE_MAX &&
  @   (IPC_WORDS(k_cpu.current)->size != 0 ==> caller_may_touch(
  @     (uintptr_t)k_cpu.current->ipc.data, IPC_WORDS(k_cpu.current)->size, (boolean)0)) &&
  @   (IPC_WORDS(k_cpu.current)->capacity != 0 ==> caller_may_touch(
  @     (uintptr_t)k_cpu.current->ipc.data, IPC_WORDS(k_cpu.current)->capacity, (boolean)1));
  @*/
int ipc_call(struct k_ipc_gate *gate, k_timeout_t timeout, unsigned int key);
int ipc_send(struct k_ipc_gate *gate, k_timeout_t timeout, unsigned int key);
int ipc_receive(struct k_ipc_endpoint *endpoint, k_timeout_t timeout, unsigned int key);
int ipc_reply(unsigned int key);
int ipc_reply_receive(struct k_ipc_endpoint *endpoint, k_timeout_t timeout, unsigned int key);

/*
 * What the running thread sends, and where it receives. `is_user`: `data` is its own memory, or it
 * lies.
 */
static inline void ipc_take_in(const struct k_ipc_message *message, bool is_user)
{
	struct thread_ipc *ipc = &k_cpu.current->ipc;
	struct ipc_words *words = IPC_WORDS(k_cpu.current);

	words->words[0] = message->words[0];
	words->words[1] = message->words[1];
	words->words[2] = message->words[2];
	words->words[3] = message->words[3];
	ipc->data = message->data;
	words->size = message->size;
	words->capacity = message->capacity;
	ipc->whose = is_user ? IPC_USERS : IPC_KERNELS;
	ipc_capacity_is_memory(k_cpu.current);
}

static inline void ipc_give_out(struct k_ipc_message *message)
{
	const struct ipc_words *words = IPC_WORDS(k_cpu.current);

	message->words[0] = words->words[0];
	message->words[1] = words->words[1];
	message->words[2] = words->words[2];
	message->words[3] = words->words[3];
	message->badge = words->badge;
	message->size = words->size;
}

/*
 * The call is over, however it went: a message of words alone finds no bytes in its thread's hands,
 * and no capacity.
 */
static inline int ipc_put_away(int result)
{
	struct ipc_words *words = IPC_WORDS(k_cpu.current);

	words->size = 0;
	words->capacity = 0;
	return result;
}

#endif /* FOLIOT_KERNEL_IPC_H */
