/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The usual call and answer with a few bytes besides the words: kernel/ipc/straight.h. Both sides' memory is looked at once, and
 * is RAM, so the copy need not survive a fault; it is masked to the end, so what was looked at is what is
 * copied. What is otherwise is left to the way round (verify_ipc.c), and nothing is changed then. Rejected: a guarded copy,
 * which is a call, and its registers would be the words'.
 */
#include "kernel/ipc/straight.h"
#include "kernel/ipc/straight_wait.h"
#include "kernel/protect/object_table.h"
#include "kernel/protect/user_range.h"

/* That thread's own, words, and RAM. */
static inline bool is_plain(const struct k_thread *thread, uintptr_t address, size_t bytes,
			    uint32_t needed)
{
	return address % sizeof(uintptr_t) == 0 &&
	       user_range_is_own(thread, address, bytes, needed) && object_tag_is_in_ram(address) &&
	       object_tag_is_in_ram(address + bytes);
}

/* Words, and what is left. Not by memcpy(), which would be a call: volatile. */
static inline void copy(uintptr_t to, uintptr_t from, size_t bytes)
{
	uintptr_t words_end = from + (bytes & ~(sizeof(uintptr_t) - 1U));
	uintptr_t end = from + bytes;

	ARCH_USER_OPEN();
	/* Bound: IPC_STRAIGHT_MAX / sizeof(uintptr_t). */
	for (; from != words_end; from += sizeof(uintptr_t), to += sizeof(uintptr_t)) {
		*(volatile uintptr_t *)to = *(const volatile uintptr_t *)from;
	}
	/* Bound: less than a word's. */
	for (; unlikely(from != end); from++, to++) {
		*(volatile uint8_t *)to = *(const volatile uint8_t *)from;
	}
	ARCH_USER_CLOSE();
}

bool straight_exchange(struct k_thread *to, uintptr_t data, size_t size, size_t room)
{
	struct k_thread *current = k_cpu.current;
	uint32_t needed = room != 0 ? K_MEM_PARTITION_WRITE_ : K_MEM_PARTITION_READ_;

	if (unlikely(size > IPC_STRAIGHT_MAX ||
		     !is_plain(current, data, MAX(size, room), needed))) {
		return false;
	}
	if (size != 0) {
		uintptr_t there = (uintptr_t)to->ipc.data;

		if (unlikely(size > IPC_WORDS(to)->room || !to->ipc.is_user ||
			     !is_plain(to, there, size, K_MEM_PARTITION_WRITE_))) {
			return false;
		}
		copy(there, data, size);
	}
	IPC_WORDS(to)->size = size;
	IPC_WORDS(current)->size = 0; /* of a message that may come without any */
	IPC_WORDS(current)->room = room;
	current->ipc.data = (void *)data;
	current->ipc.is_user = true;
	return true;
}

struct k_thread *ipc_call_straight_bytes(struct k_ipc_gate *gate, void *data, size_t size,
					 size_t room)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *server = straight_server(gate, current);

	if (server == NULL || !straight_exchange(server, (uintptr_t)data, size, room)) {
		return NULL;
	}
	straight_call(gate, current, server);
	return server;
}

struct k_thread *ipc_reply_receive_straight_bytes(struct k_ipc_endpoint *endpoint, void *data,
						  size_t size, size_t room)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *caller = straight_caller(endpoint, current);

	if (caller == NULL || !straight_exchange(caller, (uintptr_t)data, size, room)) {
		return NULL;
	}
	straight_reply_receive(endpoint, current, caller);
	return caller;
}
