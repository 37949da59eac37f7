/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A message's bytes are copied once, by whoever of the two runs, straight from memory into memory,
 * in steps. Each side's is looked at against that thread's regions as they are at that step, masked
 * in one with the step: what was taken away in between is not touched.
 *
 * Between two steps whoever is more urgent runs, so who waits is taken out of the queue where
 * others would find it, into one that is the runner's alone: something like a mutex of its, by
 * which it inherits. Its time-out, and what else ends it, finds it there as ever; the copy notices.
 */
#include "kernel/ipc/message.h"
#include "kernel/ipc/traversal.h"
#include "kernel/hooks/user.h"
#include "kernel/sched/sched.h"

#define STEP ((size_t)CONFIG_MASKED_BYTES)

/* The bytes of one message on their way. */
struct passage {
	uintptr_t from, to; /* the next of them */
	size_t left;
	const struct k_thread *from_user, *to_user; /* NULL: kernel code's */
	struct user_known from_known, to_known;
};

/*@ predicate known_at{L}(struct k_thread *user, struct user_known *known, integer address,
  @                       integer bytes) =
  @   user == \null || (known->since == user_memory_changes && known->start <= address &&
  @     address + bytes <= known->start + known->size);
  @*/
/*@ requires \valid_read(known) && known->start + known->size <= UINTPTR_MAX;
  @ assigns \nothing;
  @ ensures \result <==> known_at(user, known, address, bytes);
  @*/
static inline bool is_known(const struct k_thread *user, const struct user_known *known,
			    uintptr_t address, size_t bytes)
{
	return user == NULL || user_is_known(known, address, bytes);
}

/*@ predicate passage_is_sound{L}(struct passage *passage) = \valid(passage) &&
  @   passage->from_known.start + passage->from_known.size <= UINTPTR_MAX &&
  @   passage->to_known.start + passage->to_known.size <= UINTPTR_MAX;
  @ logic integer bytes_of_step{L}(struct passage *passage) = \min(passage->left, STEP);
  @*/
/*@ requires passage_is_sound(passage) && \separated(passage, &user_memory_changes);
  @ ensures passage->left == \old(passage->left) ||
  @   passage->left == \old(passage->left - bytes_of_step(passage));
  @ ensures passage->from ==
  @   (uintptr_t)(\old(passage->from) + \old(passage->left) - passage->left);
  @ ensures passage->to == (uintptr_t)(\old(passage->to) + \old(passage->left) - passage->left);
  @ ensures passage->left != \old(passage->left) ==> \old(
  @   known_at(passage->from_user, &passage->from_known, passage->from, bytes_of_step(passage)) &&
  @   known_at(passage->to_user, &passage->to_known, passage->to, bytes_of_step(passage)));
  @ ensures passage->left != \old(passage->left) ==> \result == IPC_COPIED;
  @ ensures passage->left != \old(passage->left) && \old(passage->from_user) != \null &&
  @   \old(passage->to_user) == \null ==> was_copied(ARCH_COPY_FROM, \old(passage->to),
  @     \old(passage->from), \old(bytes_of_step(passage)));
  @ ensures passage->left != \old(passage->left) && \old(passage->from_user) == \null &&
  @   \old(passage->to_user) != \null ==> was_copied(ARCH_COPY_TO, \old(passage->to),
  @     \old(passage->from), \old(bytes_of_step(passage)));
  @ ensures passage->left != \old(passage->left) && \old(passage->from_user) != \null &&
  @   \old(passage->to_user) != \null ==> was_copied(ARCH_COPY_FROM + ARCH_COPY_TO,
  @     \old(passage->to), \old(passage->from), \old(bytes_of_step(passage)));
  @ ensures passage->left != \old(passage->left) && \old(passage->from_user) == \null &&
  @   \old(passage->to_user) == \null ==> was_copied(0, \old(passage->to),
  @     \old(passage->from), \old(bytes_of_step(passage)));
  @ ensures \result == IPC_COPIED || \result == IPC_FAULT_FROM || \result == IPC_FAULT_TO;
  @ ensures \result == IPC_FAULT_FROM ==> \old(passage->from_user) != \null;
  @ ensures \result == IPC_FAULT_FROM ==> \old(
  @   !known_at(passage->from_user, &passage->from_known, passage->from, bytes_of_step(passage)) ||
  @   known_at(passage->to_user, &passage->to_known, passage->to, bytes_of_step(passage)));
  @ ensures \result == IPC_FAULT_TO ==> \old(passage->from_user) == \null ||
  @   !\old(known_at(passage->to_user, &passage->to_known, passage->to, bytes_of_step(passage)));
  @*/
static inline enum ipc_copied step(struct passage *passage)
{
	const size_t bytes = MIN(passage->left, STEP);
	unsigned int untrusted;

	/* One side has to be looked at: a step of its own. */
	if (unlikely(!is_known(passage->from_user, &passage->from_known, passage->from, bytes))) {
		return user_know(&passage->from_known, passage->from_user, passage->from,
				 passage->left, false)
			       ? IPC_COPIED
			       : IPC_FAULT_FROM;
	}
	if (unlikely(!is_known(passage->to_user, &passage->to_known, passage->to, bytes))) {
		return user_know(&passage->to_known, passage->to_user, passage->to, passage->left,
				 true)
			       ? IPC_COPIED
			       : IPC_FAULT_TO;
	}
	untrusted = (passage->from_user != NULL ? ARCH_COPY_FROM : 0U) |
		    (passage->to_user != NULL ? ARCH_COPY_TO : 0U);
	if (unlikely(arch_copy_guarded((void *)passage->to, (const void *)passage->from, bytes,
				       untrusted) != ARCH_COPY_DONE)) { /* it is not there */
		return passage->from_user != NULL ? IPC_FAULT_FROM : IPC_FAULT_TO;
	}
	passage->from += bytes;
	passage->to += bytes;
	passage->left -= bytes;
	return IPC_COPIED;
}

static void begin(struct passage *passage, const struct k_thread *from, const struct k_thread *to)
{
	passage->from_user = ipc_bytes_are_users(from) ? from : NULL;
	passage->to_user = ipc_bytes_are_users(to) ? to : NULL;
	passage->from_known = (struct user_known){0};
	passage->to_known = (struct user_known){0};
	passage->from = (uintptr_t)from->ipc.data;
	passage->to = (uintptr_t)to->ipc.data;
	passage->left = IPC_WORDS(from)->size;
}

enum ipc_copied ipc_copy(struct k_thread *from, struct k_thread *to, uintptr_t badge,
			 const _wait_q_t *wait_q, unsigned int key)
{
	const struct k_thread *waiter = from == k_cpu.current ? to : from;
	enum ipc_copied copied = IPC_COPIED;
	bool are_words_there = false;
	struct passage passage;

	if (!ipc_fits(from, to)) {
		return IPC_NO_CAPACITY;
	}
	if (IPC_WORDS(from)->size > IPC_WORDS(to)->capacity) {
		IPC_WORDS(from)->size = 0;
	}
	begin(&passage, from, to);
	/*
	 * Bound: B / CONFIG_MASKED_BYTES + D + 4, with a look at each side, anew where memory of
	 * threads has changed; interrupts are let in before each, and before the end.
	 */
	for (;;) {
		sched_traversal_window(key);
		/* The queue is asked, not who waited there: its block may be anything by now. */
		if (wait_q->head != waiter || ipc_was_ended()) {
			return IPC_GONE;
		}
		if (copied != IPC_COPIED || are_words_there) {
			return copied;
		}
		if (passage.left != 0) {
			copied = step(&passage);
		} else {
			ipc_deliver_words(from, to, badge);
			are_words_there = true;
		}
	}
}
