/* SPDX-License-Identifier: Apache-2.0 */
/* What world.c makes and oracle.c looks at. */
#ifndef TESTS_USER_FUZZ_WORLD_H
#define TESTS_USER_FUZZ_WORLD_H

#include "fuzz.h"

#define CANARIES    8
#define OTHERS_BYTE 0xe7

/*
 * What attackers may use. Canaries lie between it, which nobody may write, nor read.
 */
struct allowed {
	uintptr_t canaries_0[CANARIES];
	struct k_sem sem, swapped_sem, fresh_sem;
	struct k_mutex mutex, other_mutex, fresh_mutex;
	uintptr_t canaries_1[CANARIES];
	struct k_condvar condvar;
	struct k_event event, fresh_event;
	struct k_stack words, fresh_words;
	struct k_fifo fifo;
	struct k_queue fresh_queue;
	uintptr_t canaries_2[CANARIES];
	struct k_msgq msgq, long_msgq, fresh_msgq;
	struct k_timer timer;
	struct k_ipc_endpoint endpoint, other_endpoint;
	struct k_ipc_gate gate, other_gate;
	struct k_pipe pipe, bare_pipe, fresh_pipe;
	struct k_poll_signal signal, fresh_signal;
	stack_data_t word_buffer[4];
	uintptr_t canaries_3[CANARIES];
	char msgq_buffer[4][16];
	char long_buffer[2][80];
	uint8_t pipe_buffer[16];
	uintptr_t canaries_4[CANARIES];
};
extern struct allowed allowed;

/* What nobody may: as they were made they must stay. */
struct secrets {
	struct k_sem sem;
	struct k_mutex mutex;
	struct k_condvar condvar;
	struct k_event event;
	struct k_stack words;
	struct k_fifo fifo;
	struct k_msgq msgq;
	struct k_timer timer;
	struct k_ipc_endpoint endpoint;
	struct k_ipc_gate gate;
	struct k_pipe pipe;
	struct k_poll_signal signal;
	stack_data_t word_buffer[2];
	char msgq_buffer[2][16];
	uint8_t pipe_buffer[16];
	uintptr_t words_of_it[16];
};
extern struct secrets secrets, secrets_as_made;

/* In a domain of its own; one that nobody may end. */
extern struct k_thread victim, essential;
extern uint8_t others[64]; /* the victim's memory */

#endif /* TESTS_USER_FUZZ_WORLD_H */
