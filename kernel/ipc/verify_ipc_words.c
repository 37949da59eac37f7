/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls and answers whose message is in registers, four words and no bytes, that are not fast
 * (kernel/ipc/fast.c). Entered with interrupts masked since the trap, so the object that was
 * looked at is still that one when it is used, and nothing of the user's memory is touched at all.
 * `words` lie on the stack of system calls; what has come is in the thread's block, where the
 * result is 0.
 */
#define VERIFIER_OF_OTHERS
#include "kernel/syscall/verify.h"
#include "kernel/hooks/thread_ipc.h"
#include "kernel/ipc/ipc.h"

/* The port's entries. */
int user_call_words(struct k_ipc_gate *gate, k_timeout_t timeout, const struct ipc_words *words);
int user_reply_receive_words(struct k_ipc_endpoint *endpoint, k_timeout_t timeout,
			     const struct ipc_words *words);

/*
 * Returns if the thread may use it: true, by a right of its own, which may be remembered; false, by
 * everybody's.
 */
/*@ requires \valid_read(k_cpu.current) && tag_offset <= UINT16_MAX && kind < OBJECT_PUBLIC;
  @ requires is_key(ARCH_IRQ_KEY_OPEN);
  @ assigns \nothing;
  @ ensures some_may_be_used((void *)object, kind);
  @ ensures \result ==> thread_holds(k_cpu.current, place_of((uintptr_t)object, tag_offset));
  @*/
static bool verify_is_own(const void *object, size_t tag_offset, unsigned int kind)
{
	if (!object_is_usable_masked(object, tag_offset, kind)) {
		arch_irq_unlock(ARCH_IRQ_KEY_OPEN);
		user_violation("not a gate or an endpoint that the thread may use");
	}
	return object_is_own(k_cpu.current, object_entry_at(object, tag_offset));
}

/*
 * Of `words` the four alone are there; no bytes and no capacity is what the thread has already
 * (ipc_put_away()).
 */
/*@ requires \valid(k_cpu.current) && \valid_read(words) && \separated(words, k_cpu.current);
  @ assigns k_cpu.current->user.message.words[0 .. 3];
  @ ensures \forall integer i; 0 <= i < 4 ==>
  @   k_cpu.current->user.message.words[i] == words->words[i];
  @ ensures rights_stay{Pre, Post};
  @*/
static inline void take_words(const struct ipc_words *words)
{
	struct k_thread *current = k_cpu.current;

	current->user.message.words[0] = words->words[0];
	current->user.message.words[1] = words->words[1];
	current->user.message.words[2] = words->words[2];
	current->user.message.words[3] = words->words[3];
}

/*@ requires caller_is_sound && \valid_read(words) && is_key(ARCH_IRQ_KEY_OPEN);
  @ requires \separated(words, k_cpu.current) && hands_are_empty;
  @ requires asked_size == 0 && asked_capacity == 0;
  @ requires gate != \null && k_cpu.current->ipc.gate == gate ==>
  @   some_may_be_used((void *)gate, K_OBJ_IPC_GATE);
  @*/
int user_call_words(struct k_ipc_gate *gate, k_timeout_t timeout, const struct ipc_words *words)
{
	if (unlikely(!ipc_gate_was_usable(k_cpu.current, gate)) &&
	    verify_is_own(gate, OBJECT_TAG_OFFSET(struct k_ipc_gate), K_OBJ_IPC_GATE)) {
		k_cpu.current->ipc.gate = gate;
	}
	take_words(words);
	return ipc_call(gate, verify_timeout(timeout), ARCH_IRQ_KEY_OPEN);
}

/*@ requires caller_is_sound && \valid_read(words) && is_key(ARCH_IRQ_KEY_OPEN);
  @ requires \separated(words, k_cpu.current) && hands_are_empty;
  @ requires asked_size == 0 && asked_capacity == 0;
  @ requires endpoint != \null && k_cpu.current->ipc.endpoint == endpoint ==>
  @   some_may_be_used((void *)endpoint, K_OBJ_IPC_ENDPOINT);
  @*/
int user_reply_receive_words(struct k_ipc_endpoint *endpoint, k_timeout_t timeout,
			     const struct ipc_words *words)
{
	if (unlikely(!ipc_endpoint_was_usable(k_cpu.current, endpoint)) &&
	    verify_is_own(endpoint, OBJECT_TAG_OFFSET(struct k_ipc_endpoint), K_OBJ_IPC_ENDPOINT)) {
		k_cpu.current->ipc.endpoint = endpoint;
	}
	take_words(words);
	return ipc_reply_receive(endpoint, verify_timeout(timeout), ARCH_IRQ_KEY_OPEN);
}
