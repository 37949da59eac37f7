/* SPDX-License-Identifier: Apache-2.0 */
/* What the attacker (user mode) and its judge (kernel mode, main.c) share. */
#ifndef TESTS_USER_ATTACK_H
#define TESTS_USER_ATTACK_H

#include <foliot/kernel.h>

enum call {
#define SYSCALL(name) CALL_##name,
#define SYSCALL_VIA(name)
#include "kernel/protect/syscalls.h"
#undef SYSCALL
#undef SYSCALL_VIA
	NUM_CALLS,
};

/* What an argument ought to be. */
enum wanted {
	ANY, /* a word */
	SEM,
	MUTEX,
	CONDVAR,
	EVENT,
	WORDS,
	QUEUE,
	MSGQ,
	TIMER,
	THREAD,
	STACK,
	BUFFER,
	TIMEOUT,
	SHORT, /* of a spin */
	CREATE, /* a struct of k_thread_create()'s arguments */
	NUM_WANTED,
};

#define NUM_WORDS   8
#define NUM_FORGED  24
#define STACK_SIZE_ 1024

/* In the attacker's own partition. */
struct arena {
	uint32_t seed;
	uint32_t begun;    /* calls */
	uint32_t returned; /* of these: the others ended their thread, or wait */
	uint32_t by_call[NUM_CALLS]; /* that returned */
	uintptr_t objects[NUM_WANTED]
			 [2]; /* of each kind: one that it may use, one that it may not */
	uintptr_t buffer[NUM_WORDS];
	uintptr_t create[10];
	uintptr_t forged[NUM_FORGED]; /* all alike: at each of them an object with that index */
};

K_APPMEM_PARTITION_DECLARE(attackers);
extern struct arena arena;

/* Makes calls until one ends it. */
void attack(void *p1, void *p2, void *p3);

#endif /* TESTS_USER_ATTACK_H */
