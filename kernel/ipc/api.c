/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of the API, by kernel threads: the message is where the pointer says. */
#include "kernel/hooks/object.h"
#include "kernel/ipc/ipc.h"
#include "kernel/hooks/user.h"

void k_ipc_endpoint_init(struct k_ipc_endpoint *endpoint)
{
	object_init_begin(endpoint, ipc_endpoint);
	endpoint->callers = (struct k_mutex)K_MUTEX_INITIALIZER;
	endpoint->receivers.head = NULL;
	object_init_end(endpoint, ipc_endpoint);
}

void k_ipc_gate_init(struct k_ipc_gate *gate, struct k_ipc_endpoint *endpoint, uintptr_t badge)
{
	object_init_begin(gate, ipc_gate);
	gate->endpoint = endpoint;
	gate->badge = badge;
	object_init_end(gate, ipc_gate);
}

/* 0, or why this call cannot be made. */
static int refusal(size_t size)
{
	K_ASSERT(!arch_in_isr(), "ipc-in-isr");
	if (unlikely(arch_in_isr())) {
		return -EWOULDBLOCK;
	}
	return unlikely(size > CONFIG_IPC_MESSAGE_MAX) ? -EINVAL : 0;
}

int k_ipc_call(struct k_ipc_gate *gate, struct k_ipc_message *message, k_timeout_t timeout)
{
	int result = refusal(message->size);

	if (result != 0) {
		return result;
	}
	ipc_take_in(message, false);
	result = ipc_call(gate, timeout, arch_irq_lock());
	if (result == 0) {
		ipc_give_out(message);
	}
	return ipc_put_away(result);
}

int k_ipc_send(struct k_ipc_gate *gate, const struct k_ipc_message *message, k_timeout_t timeout)
{
	int result = refusal(message->size);

	if (result != 0) {
		return result;
	}
	ipc_take_in(message, false);
	return ipc_put_away(ipc_send(gate, timeout, arch_irq_lock()));
}

int k_ipc_receive(struct k_ipc_endpoint *endpoint, struct k_ipc_message *message,
		  k_timeout_t timeout)
{
	int result = refusal(0);

	if (result != 0) {
		return result;
	}
	ipc_take_in(message, false);
	result = ipc_receive(endpoint, timeout, arch_irq_lock());
	if (result == 0) {
		ipc_give_out(message);
	}
	return ipc_put_away(result);
}

int k_ipc_reply(const struct k_ipc_message *message)
{
	int result = refusal(message->size);

	if (result != 0) {
		return result;
	}
	ipc_take_in(message, false);
	return ipc_put_away(ipc_reply(arch_irq_lock()));
}

int k_ipc_reply_receive(struct k_ipc_endpoint *endpoint, struct k_ipc_message *message,
			k_timeout_t timeout)
{
	int result = refusal(message->size);

	if (result != 0) {
		return result;
	}
	ipc_take_in(message, false);
	result = ipc_reply_receive(endpoint, timeout, arch_irq_lock());
	if (result == 0) {
		ipc_give_out(message);
	}
	return ipc_put_away(result);
}
