/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls and answers whose message is in registers: four words, and no bytes. Entered with interrupts masked since the
 * trap, so the object that was looked at is still that one when it is used, and nothing of the user's memory is
 * touched at all. The result goes back with where the words of the message lie that has come, the badge behind them.
 */
#define VERIFIER_OF_OTHERS
#include "kernel/protect/verify.h"
#include "kernel/ipc/ipc.h"

BUILD_ASSERT(offsetof(struct thread_ipc, badge) ==
		     offsetof(struct thread_ipc, words) + K_IPC_WORDS * sizeof(uintptr_t),
	     "the port loads the badge behind the words");

/* In two registers. */
struct ipc_came {
	intptr_t result;
	const uintptr_t *words;
};

/* The port's entries. */
struct ipc_came user_call_words(struct k_ipc_gate *gate, uintptr_t word0, k_timeout_t timeout,
				uintptr_t word1, uintptr_t word2, uintptr_t word3);
struct ipc_came user_reply_receive_words(struct k_ipc_endpoint *endpoint, uintptr_t word0,
					 k_timeout_t timeout, uintptr_t word1, uintptr_t word2,
					 uintptr_t word3);

static void refuse(void) __attribute__((noreturn));
static __noinline void refuse(void)
{
	arch_irq_unlock(ARCH_IRQ_KEY_OPEN);
	user_violation("not a gate or an endpoint that the thread may use");
}

static inline void take_words(uintptr_t word0, uintptr_t word1, uintptr_t word2, uintptr_t word3)
{
	struct thread_ipc *ipc = &k_cpu.current->ipc;

	ipc->words[0] = word0;
	ipc->words[1] = word1;
	ipc->words[2] = word2;
	ipc->words[3] = word3;
	ipc->size = 0;
	ipc->room = 0;
}

/* Where nothing has come, the words are the thread's own, and the badge is not to be what is left of another. */
static inline struct ipc_came came(int result)
{
	struct thread_ipc *ipc = &k_cpu.current->ipc;

	if (unlikely(result != 0)) {
		ipc->badge = 0;
	}
	return (struct ipc_came){result, ipc->words};
}

struct ipc_came user_call_words(struct k_ipc_gate *gate, uintptr_t word0, k_timeout_t timeout,
				uintptr_t word1, uintptr_t word2, uintptr_t word3)
{
	if (unlikely(!object_is_usable_masked(gate, OBJECT_TAG_OFFSET(struct k_ipc_gate),
					      K_OBJ_IPC_GATE))) {
		refuse();
	}
	take_words(word0, word1, word2, word3);
	return came(ipc_call(gate, verify_timeout(timeout), ARCH_IRQ_KEY_OPEN));
}

struct ipc_came user_reply_receive_words(struct k_ipc_endpoint *endpoint, uintptr_t word0,
					 k_timeout_t timeout, uintptr_t word1, uintptr_t word2,
					 uintptr_t word3)
{
	if (unlikely(!object_is_usable_masked(endpoint, OBJECT_TAG_OFFSET(struct k_ipc_endpoint),
					      K_OBJ_IPC_ENDPOINT))) {
		refuse();
	}
	take_words(word0, word1, word2, word3);
	return came(ipc_reply_receive(endpoint, verify_timeout(timeout), ARCH_IRQ_KEY_OPEN));
}
