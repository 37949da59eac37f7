/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls: messages between threads, but for those of words that a port carries in registers. The message's
 * structure is copied in and out by the thread itself; the bytes besides are looked at here, so that who names memory
 * that was never its own ends, and once more when they are copied (kernel/ipc/message.c).
 */
#define VERIFIER_OF_OTHERS
#include "kernel/protect/verify.h"
#include "kernel/ipc/ipc.h"

#ifdef CONFIG_ARCH_IPC_REGISTERS /* those of the words alone are verify_ipc_words.c's */
#define verify_k_ipc_call          verify_user_ipc_call
#define verify_k_ipc_reply_receive verify_user_ipc_reply_receive
#endif

#define VERIFY_GATE(gate)         VERIFY_OBJECT(gate, struct k_ipc_gate, K_OBJ_IPC_GATE)
#define VERIFY_ENDPOINT(endpoint) VERIFY_OBJECT(endpoint, struct k_ipc_endpoint, K_OBJ_IPC_ENDPOINT)

BUILD_ASSERT(sizeof(struct k_ipc_message) <= USER_COPY_MAX, "user_copy_in()");

/* Into the thread's hands. Returns 0, or -EINVAL: more bytes than a message has. */
static int take_in(const struct k_ipc_message *user, bool sends, bool receives)
{
	struct k_ipc_message message;

	user_copy_in(&message, user, sizeof(message));
	if (sends && message.size > CONFIG_IPC_MESSAGE_MAX) {
		return -EINVAL;
	}
	if (!sends) {
		message.size = 0;
	}
	if (!receives) {
		message.room = 0;
	}
	if (message.size != 0) {
		user_verify_readable(message.data, message.size);
	}
	if (message.room != 0) {
		user_verify_writable(message.data, message.room);
	}
	ipc_take_in(&message, true);
	return 0;
}

static int give_out(struct k_ipc_message *user, int result)
{
	struct k_ipc_message message;

	if (result != 0) {
		return result;
	}
	ipc_give_out(&message);
	message.data = k_cpu.current->ipc.data;
	message.room = k_cpu.current->ipc.room;
	user_copy_out(user, &message, sizeof(message));
	return 0;
}

int verify_k_ipc_call(struct k_ipc_gate *gate, struct k_ipc_message *message, k_timeout_t timeout)
{
	int result;

	VERIFY_GATE(gate);
	result = take_in(message, true, true);
	if (result != 0) {
		return result;
	}
	return give_out(message, ipc_call(gate, verify_timeout(timeout), arch_irq_lock()));
}

int verify_k_ipc_send(struct k_ipc_gate *gate, const struct k_ipc_message *message,
		      k_timeout_t timeout)
{
	int result;

	VERIFY_GATE(gate);
	result = take_in(message, true, false);
	return result != 0 ? result : ipc_send(gate, verify_timeout(timeout), arch_irq_lock());
}

int verify_k_ipc_receive(struct k_ipc_endpoint *endpoint, struct k_ipc_message *message,
			 k_timeout_t timeout)
{
	VERIFY_ENDPOINT(endpoint);
	(void)take_in(message, false, true);
	return give_out(message, ipc_receive(endpoint, verify_timeout(timeout), arch_irq_lock()));
}

int verify_k_ipc_reply(const struct k_ipc_message *message)
{
	int result = take_in(message, true, false);

	return result != 0 ? result : ipc_reply(arch_irq_lock());
}

int verify_k_ipc_reply_receive(struct k_ipc_endpoint *endpoint, struct k_ipc_message *message,
			       k_timeout_t timeout)
{
	int result;

	VERIFY_ENDPOINT(endpoint);
	result = take_in(message, true, true);
	if (result != 0) {
		return result;
	}
	return give_out(message,
			ipc_reply_receive(endpoint, verify_timeout(timeout), arch_irq_lock()));
}
