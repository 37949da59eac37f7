/* SPDX-License-Identifier: Apache-2.0 */
/*
 * User mode's side of calls that do not fit four words of arguments and one of result. Nothing here
 * has any right: it reads and writes its caller's stack, and traps.
 */
#include "kernel/syscall/verify.h"

k_tid_t user_k_thread_create(struct k_thread *thread, k_thread_stack_t *stack, size_t size,
			     k_thread_entry_t entry, void *p1, void *p2, void *p3, int prio,
			     uint32_t options, k_timeout_t delay)
{
	struct thread_create_args args = {
		thread, stack,   size,  {entry, p1, p2, p3},
		prio,   options, delay, (uintptr_t)__builtin_return_address(0),
	};

	return user_thread_create_packed(&args);
}

int64_t user_k_uptime_ticks(void)
{
	int64_t ticks;

	user_uptime_read(&ticks);
	return ticks;
}

int64_t user_k_uptime_get(void)
{
	return (int64_t)k_ticks_to_ms_floor64(user_k_uptime_ticks());
}

int64_t user_k_uptime_delta(int64_t *reftime)
{
	int64_t now = user_k_uptime_get();
	int64_t delta = now - *reftime;

	*reftime = now;
	return delta;
}

#if defined(CONFIG_IPC) && defined(CONFIG_ARCH_IPC_REGISTERS)
/*
 * Messages with bytes, which the port's user_k_ipc_call() leaves to a call like others; by kernel
 * threads nobody.
 */
int user_ipc_call(struct k_ipc_gate *gate, struct k_ipc_message *message, k_timeout_t timeout)
{
	return k_ipc_call(gate, message, timeout);
}

int user_ipc_reply_receive(struct k_ipc_endpoint *endpoint, struct k_ipc_message *message,
			   k_timeout_t timeout)
{
	return k_ipc_reply_receive(endpoint, message, timeout);
}
#endif
