/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel as one of the models sees it: commands, and the state behind each. The names and
 * numbers are the model's (threads.pml and its own).
 */
#ifndef TESTS_MODELS_MACHINE_H
#define TESTS_MODELS_MACHINE_H

#include <foliot/kernel.h>

#define THREADS 3
#define NOBODY  (-1)
#define ENDED   (-2)
#define IN_NONE (-1)

enum how { HOW_NO_WAIT, HOW_TIMED, HOW_FOREVER };

struct command {
	int what, t, a, b;
};

struct machine {
	const char *name;
	void (*init)(void);
	bool (*is_call)(int what); /* a thread's own call; else what happens to it */
	long (*call)(const struct command *command); /* in the thread; what it returns */
	void (*happen)(const struct command *command); /* in the least urgent thread */
	void (*choose)(struct command *command); /* one at random, of those that may come */
	void (*show)(void);
	const struct k_thread *other; /* that has something to do, or NULL */
	int spacing; /* of the threads' priorities */
};

extern const struct machine machine_mutex, machine_ipc, machine_work, machine_pipe;
extern const struct machine machine_condvar, machine_steps, machine_mutex_steps;

/* ---- main.c ---- */
extern struct k_thread threads[THREADS];
bool is_dead(int t);
bool is_idle(int t); /* lives, and is in no call */
bool is_timed(int t);
long result_of(int t); /* of its last call that has returned */
int number_of(const struct k_thread *thread);
int owner_of(const struct k_mutex *mutex); /* its number, NOBODY or ENDED */
k_timeout_t timeout_of(int how);
void time_runs_out(int t);
void timeout_runs_out(struct timeout *timeout);
void start(int t);
/* Its time runs out, it ends, begins again, or gets another priority: in this order from `first`. */
void happen_to_thread(const struct command *command, int first);
unsigned int below(unsigned int n);

/* `queues`: where a thread may wait, in the model's order. */
void show_threads(const _wait_q_t *const queues[], int num_queues);
void show_queue(int owner, const _wait_q_t *queue);

#endif /* TESTS_MODELS_MACHINE_H */
