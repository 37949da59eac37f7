/* SPDX-License-Identifier: Apache-2.0 */
/* A victim in a system call, a sibling that comes between at any instruction, and what both have: see main.c. */
#ifndef TESTS_USER_EVERYWHERE_H
#define TESTS_USER_EVERYWHERE_H

#include <foliot/kernel.h>

#define STACK 1024
#define SPARE 3

K_APPMEM_PARTITION_DECLARE(theirs); /* user mode's variables */
K_APPMEM_PARTITION_DECLARE(
	buffers); /* what the victim's structures lie in: taken away by an action */

/* Allocated from `pool`: nobody has them but the victim and its sibling. */
struct objects {
	struct k_sem *sem, *given; /* not there; there */
	struct k_mutex *mutex, *other_mutex; /* free, held by the sibling's helper */
	struct k_condvar *condvar;
	struct k_event *event;
	struct k_msgq *msgq, *full; /* of messages that are copied in steps */
	struct k_msgq *short_empty, *short_full; /* of such that are copied at once */
	struct k_stack *stack;
	struct k_queue *queue;
	struct k_pipe *pipe, *empty;
	struct k_timer *timer;
	struct k_poll_signal *signal;
	struct k_thread *thread; /* a block in which nobody lives yet */
	struct k_thread *victim;
	struct k_msgq
		*spare[SPARE]; /* not initialised: their buffers will lie where something was */
};

extern struct objects objects;
extern struct k_thread sibling, helper;
extern struct k_mutex saved_mutex; /* nobody's to free */
extern struct k_ipc_endpoint endpoint, served;
extern struct k_ipc_gate gate, served_gate;
extern k_thread_stack_t victim_stack[], spare_stack[];
extern struct k_heap pool;
extern struct k_sem go;
extern struct k_mem_domain users_domain;
extern k_tid_t keeper; /* who lives to the end */

/* Kernel memory that all forged pointers lead to; nothing may write there. */
#define DECOYS 64
extern uintptr_t decoys[DECOYS];
extern uintptr_t zeros[DECOYS]; /* the same, where 0 is believed: nothing is there, nobody waits */
/* User memory, filled with addresses of `decoys`. */
#define LIES 48
extern uintptr_t lies[LIES];
/* What freed blocks are filled with: a thread in a waiting state, that leads to `decoys`. */
extern struct k_thread made_up;

/* cases.c: how many there are, the name of one, and the call itself, in user mode, with its window open. */
unsigned int cases_count(void);
const char *case_name(unsigned int number);
/* Is it one of the shortest? */
bool case_is_short(unsigned int number);
void case_run(unsigned int number);
/* What the victim has passed is another thing now; user mode. */
void case_changes(void);

/* actions.c: what comes between. In user mode by `sibling`, in kernel mode by the judge. */
unsigned int actions_count(void);
const char *action_name(unsigned int number);
void action_of_sibling(unsigned int number);
void action_of_judge(unsigned int number);
/* Was the victim's memory taken away, and has the kernel read or written there since? Forgets it. */
bool memory_was_used(void);
/* All that is free in the pool, as messages that are `made_up`; user mode. */
void fill_what_is_free(void);

/* inject.c: from now on `isr` is an injected interrupt's handler. */
void inject_start(void (*isr)(const void *));
/* One comes so many units from now on; 0: none, and one that came is lowered. Kernel mode. */
void inject_in(uint32_t units);
/* The units from a window's beginning to an injected interrupt; 0: none. Kernel mode's. */
extern uint32_t units_to_injection;

/* A call of this program's own: the window that is swept is open, or closed (0). Context: thread. */
void everywhere_window(unsigned int number);

#endif /* TESTS_USER_EVERYWHERE_H */
