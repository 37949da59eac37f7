/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The usual call and answer with a few bytes besides the words, which are in registers all the way:
 * kernel/ipc/fast.h. User mode loads and stores them on its own account, so the sender's memory
 * is nobody's business here. The receiver's is: who waits for bytes in memory that is not its own
 * ends at once, and who loses it meanwhile is told (-EFAULT), as ever. So its capacity is looked at
 * when it begins to wait, and what was found is good for as long as no thread's memory changes
 * (user_memory_changes). Who waits otherwise, as each thread does for the first time, has them
 * copied into its memory. What is otherwise is left to the slow path (verify_ipc.c), and nothing is
 * changed then.
 *
 * Rejected: the copy from memory to memory that fast_bytes.c has for cores of fewer registers,
 * whose looks at two threads' memory cost more than all else of a message.
 */
#include "kernel/ipc/fast.h"
#include "kernel/ipc/fast_wait.h"
#include "kernel/access/domain.h"
#include "kernel/access/user_range.h"

/* No function here takes more than four arguments: the fifth's register is a word's. */

#define WHOLE_WORDS ((size_t)ARCH_IPC_REGISTERS_MAX & ~(sizeof(uintptr_t) - 1U))

static bool is_ordinary(size_t size)
{
	if ((WHOLE_WORDS & (WHOLE_WORDS + sizeof(uintptr_t))) == 0) { /* one look, at its bits */
		return (size & ~WHOLE_WORDS) == 0;
	}
	return size <= ARCH_IPC_REGISTERS_MAX && size % sizeof(uintptr_t) == 0;
}

/*
 * The usual case: the capacity is known, if there is any, and `to` waits for registers, if there
 * are bytes. Then they are on their way. A message's size is 0 in between of two (struct
 * ipc_words).
 */
static ALWAYS_INLINE bool exchange(struct k_thread *to, const void *data, size_t size,
				   size_t capacity)
{
	struct k_thread *current = k_cpu.current;
	const uintptr_t changes = user_memory_changes;

	if ((size != 0 && unlikely(!is_ordinary(size) || size > IPC_WORDS(to)->capacity ||
				   to->ipc.own_since != changes)) ||
	    (capacity != 0 && !fast_is_known(&current->ipc, data, capacity, changes))) {
		return false;
	}
	IPC_WORDS(to)->size = size;
	IPC_WORDS(current)->capacity = capacity;
	return true;
}

/*
 * The rest: the capacity is looked at; or `to` waits in the kernel's middle, and what comes has to
 * be in its memory; or since before somebody's memory changed, and its own is looked at anew.
 */
static __noinline bool exchange_slow(struct k_thread *to, void *data, size_t size, size_t capacity)
{
	struct k_thread *current = k_cpu.current;

	if (!is_ordinary(size) || size > IPC_WORDS(to)->capacity ||
	    (capacity != 0 &&
	     !user_range_is_own(current, (uintptr_t)data, capacity, K_MEM_PARTITION_WRITE_))) {
		return false;
	}
	if (size != 0 && to->ipc.own_since != user_memory_changes &&
	    !fast_exchange(to, (uintptr_t)data, size, capacity)) {
		return false;
	}
	current->ipc.data = data;
	current->ipc.own_size = capacity;
	current->ipc.own_since = user_memory_changes;
	current->ipc.whose = IPC_USERS;
	IPC_WORDS(to)->size = size;
	IPC_WORDS(current)->capacity = capacity;
	return true;
}

static __noinline struct k_thread *call_slow(struct k_ipc_gate *gate, void *data, size_t size,
					     size_t capacity)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *server = fast_server(gate, current);

	if (server == NULL || !exchange_slow(server, data, size, capacity)) {
		return NULL;
	}
	fast_call(gate, current, server);
	return server;
}

struct k_thread *ipc_call_fast_registers(struct k_ipc_gate *gate, void *data, size_t size,
					 size_t capacity)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *server = fast_server(gate, current);

	if (unlikely(server == NULL || !exchange(server, data, size, capacity))) {
		return call_slow(gate, data, size, capacity);
	}
	fast_call(gate, current, server);
	return server;
}

static __noinline struct k_thread *reply_receive_slow(struct k_ipc_endpoint *endpoint, void *data,
						      size_t size, size_t capacity)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *caller = fast_caller(endpoint, current);

	if (caller == NULL || !exchange_slow(caller, data, size, capacity)) {
		return NULL;
	}
	fast_reply_receive(endpoint, current, caller);
	return caller;
}

struct k_thread *ipc_reply_receive_fast_registers(struct k_ipc_endpoint *endpoint, void *data,
						  size_t size, size_t capacity)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *caller = fast_caller(endpoint, current);

	if (unlikely(caller == NULL || !exchange(caller, data, size, capacity))) {
		return reply_receive_slow(endpoint, data, size, capacity);
	}
	fast_reply_receive(endpoint, current, caller);
	return caller;
}
