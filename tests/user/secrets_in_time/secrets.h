/* SPDX-License-Identifier: Apache-2.0 */
/* Two domains that share no object, and the calls that are made in them: see main.c. */
#ifndef TESTS_USER_SECRETS_IN_TIME_H
#define TESTS_USER_SECRETS_IN_TIME_H

#include <foliot/kernel.h>

#define STACK 1024
#define ALIGN 1024 /* a run begins at a tick that is a multiple: the same slots of the wheel */
#define TURN  10 /* ticks from A's first instruction to B's turn */
#define REST  200 /* ticks, of B's turn at most */
#define LATER 300 /* ticks, from either's turn until after both; all these lie in one slot */
#define BATCH 20 /* calls in a turn of B's */

/* What a domain has: its threads find it in their own memory. */
struct side {
	struct k_sem *sem, *given, *raised,
		*go; /* 0, there, 0 for ever, and what lets the helper go */
	struct k_mutex *mutex;
	struct k_condvar *condvar;
	struct k_event *event;
	struct k_msgq *msgq, *full, *crammed; /* empty, with messages, with no room */
	struct k_stack *stack, *filled;
	struct k_queue *queue, *items, *nothing;
	struct k_pipe *pipe, *other_pipe;
	struct k_timer *timer, *running;
	struct k_poll_signal *signal;
	struct k_thread *block; /* nobody lives in it yet */
	struct k_sem *raw_sem; /* these are not initialised */
	struct k_mutex *raw_mutex;
	struct k_condvar *raw_condvar;
	struct k_event *raw_event;
	struct k_msgq *raw_msgq;
	struct k_stack *raw_stack;
	struct k_queue *raw_queue;
	struct k_pipe *raw_pipe;
	struct k_poll_signal *raw_signal;
	/* not allocated */
	struct k_thread *helper;
	struct k_ipc_endpoint *endpoint;
	struct k_ipc_gate *gate;
	k_thread_stack_t *spare_stack;
	int prio; /* of its helper */
	struct k_sem *foreign; /* the other's, where that leak is seeded; else its own */
	k_ticks_t due; /* LATER, or in B's turn, where that is seeded */
	/* of user mode */
	struct k_poll_event events[2];
	struct k_ipc_message message;
	struct k_futex futex;
	uint32_t words[16], got[16];
	stack_data_t places[1];
	int64_t since;
	volatile int wanted; /* of the helper */
	uint32_t began; /* the cycle of its first instruction */
	uint32_t cycles[BATCH]; /* of its calls */
	volatile unsigned int made; /* how many */
};

/* Those that both make, then with those of A alone; the last SEEDS of these are done with a leak, too. */
enum cases { OF_BOTH, OF_A };

/* What is wrong in a run. */
enum seed {
	NO_SEED,
	SHARED_OBJECT, /* A gives a semaphore of B's */
	SHARED_WHEEL, /* A's timer is due in B's turn */
	SHARED_HEAP, /* A allocates from B's pool */
	KERNEL_CACHE, /* the kernel remembers what size was asked for, whoever asked */
	SEEDS
};

/* cases.c: how many there are up to the end of those; one's name; the call itself, in user mode. */
unsigned int cases_count(enum cases which);
const char *case_name(unsigned int number);
void case_run(unsigned int number, struct side *me);
/* The other thread of its domain: lets go whoever waits in a case. */
void case_help(struct side *me);

#endif /* TESTS_USER_SECRETS_IN_TIME_H */
