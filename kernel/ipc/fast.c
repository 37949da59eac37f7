/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The usual call and the usual answer between user threads: see fast.h. What ipc_call() and
 * ipc_reply_receive() do for their usual cases (kernel/ipc/call.c, reply_receive.c), less what is
 * only there because others may come by: the words are not touched. All is looked at first.
 *
 * Compiled so that the words' registers stay as they are (FOLIOT_ARCH_IPC_FAST_FLAGS), so it calls
 * nobody: features that have something to do at each switch take the slow path. Rejected: all of it
 * in assembly, three times over, of which two would be less tried.
 */
#include "kernel/ipc/fast.h"
#include "kernel/ipc/fast_wait.h"

struct k_thread *ipc_call_fast(struct k_ipc_gate *gate)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *server = fast_server(gate, current);

	if (server != NULL) {
		fast_call(gate, current, server);
	}
	return server;
}

struct k_thread *ipc_reply_receive_fast(struct k_ipc_endpoint *endpoint)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *caller = fast_caller(endpoint, current);

	if (caller != NULL) {
		fast_reply_receive(endpoint, current, caller);
	}
	return caller;
}
