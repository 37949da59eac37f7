/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What lies in a block whose thread has ended, when it belongs to somebody who knows the kernel: a thread with the same
 * generation, that waits, holds, and is linked to words that nothing may write. Who believes it writes these.
 */
#ifndef CHECK_FORGED_H
#define CHECK_FORGED_H

#include "test.h"
#include "lib/string.h"

#define FORGED_WORDS 64

struct forged {
	uintptr_t words[FORGED_WORDS]; /* in place of threads, queues and mutexes: all lead here */
	struct k_thread was; /* the block as it was forged */
};

/* A list of its own kind: a write through any link changes a word of it. */
static inline void forged_fill(struct forged *forged, struct k_thread *block, uint32_t generation,
			       uint8_t state)
{
	for (size_t i = 0; i < FORGED_WORDS; i++) {
		forged->words[i] = (uintptr_t)&forged->words[(i * 5 + 1) % (FORGED_WORDS / 2)];
	}
	memset(block, 0xA5, sizeof(*block));
	block->next = (struct k_thread *)forged->words;
	block->prev = (struct k_thread *)forged->words;
	block->prio = K_LOWEST_APPLICATION_THREAD_PRIO;
	block->threshold = K_LOWEST_APPLICATION_THREAD_PRIO;
	block->base_prio = K_LOWEST_APPLICATION_THREAD_PRIO;
	block->state = state;
	block->wait_flags = 0;
	block->generation = generation;
	block->pended_on = (_wait_q_t *)forged->words;
	block->joiners.head = (struct k_thread *)forged->words;
	block->contended = NULL;
	block->next_named = block;
	memcpy(&forged->was, block, sizeof(*block));
}

/* Has nobody written there, nor to the block? */
static inline bool forged_holds(const struct forged *forged, const struct k_thread *block)
{
	for (size_t i = 0; i < FORGED_WORDS; i++) {
		if (forged->words[i] !=
		    (uintptr_t)&forged->words[(i * 5 + 1) % (FORGED_WORDS / 2)]) {
			return false;
		}
	}
	return memcmp(&forged->was, block, sizeof(*block)) == 0;
}

#endif /* CHECK_FORGED_H */
