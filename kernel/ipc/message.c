/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A message's bytes are copied once, by whoever of the two runs, straight from memory into memory, in steps.
 * Each side's is looked at against that thread's regions as they are at that step, masked in one with the
 * step: what was taken away in between is not touched.
 *
 * Between two steps whoever is more urgent runs, so who waits is taken out of the queue where others would find it, into
 * one that is the runner's alone: something like a mutex of its, by which it inherits. Its time-out, and what else ends it,
 * finds it there as ever; the copy notices.
 */
#include "kernel/ipc/message.h"
#include "kernel/ipc/walk.h"
#include "kernel/protect/user.h"
#include "kernel/sched/sched.h"

#define STEP ((size_t)CONFIG_MASKED_BYTES)

static bool is_still_there(const struct k_thread *waiter, const _wait_q_t *wait_q)
{
	return (waiter->state & K_THREAD_PENDING) != 0 && waiter->pended_on == wait_q;
}

enum ipc_copied ipc_copy(struct k_thread *from, const struct k_thread *to,
			 const struct k_thread *waiter, const _wait_q_t *wait_q, unsigned int key)
{
	const struct k_thread *from_user = ipc_bytes_are_users(from) ? from : NULL;
	const struct k_thread *to_user = ipc_bytes_are_users(to) ? to : NULL;
	size_t size = IPC_WORDS(from)->size;

	if (!ipc_fits(from, to)) {
		return IPC_NO_ROOM;
	}
	if (size > IPC_WORDS(to)->room) {
		IPC_WORDS(from)->size = 0;
		return IPC_COPIED;
	}
	/* Bound: CONFIG_IPC_MESSAGE_MAX / STEP; interrupts are let in after each. */
	for (size_t at = 0; at < size; at += STEP) {
		unsigned int fault = user_copy_between(
			to_user, (void *)((uintptr_t)to->ipc.data + at), from_user,
			(const void *)((uintptr_t)from->ipc.data + at), MIN(size - at, STEP));

		if (fault != 0) {
			return fault == ARCH_COPY_TO ? IPC_FAULT_TO : IPC_FAULT_FROM;
		}
		sched_walk_window(key);
		if (!is_still_there(waiter, wait_q) || ipc_was_ended()) {
			return IPC_GONE;
		}
	}
	return IPC_COPIED;
}
