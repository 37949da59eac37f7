/* SPDX-License-Identifier: Apache-2.0 */
/* A server for the tests, and threads that call it: what they saw is in `seen`. */
#ifndef TESTS_IPC_SERVER_H
#define TESTS_IPC_SERVER_H

#include "test.h"

#define TIMEOUT K_TICKS(3)

extern struct k_ipc_endpoint endpoint;
extern struct k_ipc_gate gate, other_gate; /* to it, of badges 7 and 8 */
#define GATE_BADGE  7U
#define OTHER_BADGE 8U

/* In the order in which things happened. */
#define SEEN_MAX 16
extern volatile int seen_order[SEEN_MAX];
extern volatile unsigned int seen;
static inline void see(int what)
{
	seen_order[seen++ % SEEN_MAX] = what;
}

/* Begin a test: nobody has seen anything, nobody is at the endpoint. */
void begin(void);

/* Answers with the words plus one, and in word 3 the badge, until it is called with word 0 ~0. */
void adds_one(void *unused);
/* A message of four words that count up. */
struct k_ipc_message message_of(uintptr_t first);
/* Is it what adds_one() makes of that, called through a gate of that badge? */
bool is_answer(const struct k_ipc_message *message, uintptr_t first, uintptr_t badge);

/*
 * A handler calls `comes` once, while `who` runs: on the fake machine at its n-th place from here where an interrupt can
 * come, else somewhere in a tick from here on, each n elsewhere. Not twice at a time.
 */
void come_between(k_tid_t who, int n, void (*comes)(void));
void come_no_more(void);

#endif /* TESTS_IPC_SERVER_H */
