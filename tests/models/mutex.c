/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's mutexes as mutex.pml has them. */
#include <stdio.h>

#include "kernel/base/kernel.h"
#include "kernel/objects/mutex.h"
#include "machine.h"

#define MUTEXES 2

enum { LOCK, UNLOCK, EXPIRE, END, START, PRIO, COMMANDS };

static struct k_mutex mutexes[MUTEXES];

static void init(void)
{
	for (int m = 0; m < MUTEXES; m++) {
		(void)k_mutex_init(&mutexes[m]);
	}
}

static bool is_call(int what)
{
	return what == LOCK || what == UNLOCK;
}

static long call(const struct command *command)
{
	return command->what == LOCK ? k_mutex_lock(&mutexes[command->a], timeout_of(command->b))
				     : k_mutex_unlock(&mutexes[command->a]);
}

static void happen(const struct command *command)
{
	happen_to_thread(command, EXPIRE);
}

/* In their order, and not without end. */
static bool may_lock(int t, int m)
{
	bool is_again = owner_of(&mutexes[m]) == t;

	return is_idle(t) &&
	       (is_again ? mutexes[m].lock_count < 3 : owner_of(&mutexes[MUTEXES - 1]) != t);
}

static bool may_come(const struct command *command)
{
	const int t = command->t;

	switch (command->what) {
	case LOCK:
		return may_lock(t, command->a);
	case UNLOCK:
		return is_idle(t) && owner_of(&mutexes[command->a]) == t;
	case EXPIRE:
		return is_timed(t);
	case END:
		return !is_dead(t) && below(4) == 0;
	case START:
		return is_dead(t);
	default:
		return !is_dead(t) && below(2) == 0;
	}
}

static void choose(struct command *command)
{
	do {
		command->what = (int)below(COMMANDS);
		command->t = (int)below(THREADS);
		command->a = (int)below(command->what == PRIO ? THREADS + 2 : MUTEXES);
		command->b = command->what == LOCK ? (int)below(3) : 0;
		if (command->what > UNLOCK && command->what != PRIO) {
			command->a = 0;
		}
	} while (!may_come(command));
}

static void show(void)
{
	const _wait_q_t *queues[MUTEXES];

	for (int m = 0; m < MUTEXES; m++) {
		queues[m] = &mutexes[m].wait_q;
	}
	show_threads(queues, MUTEXES);
	for (int m = 0; m < MUTEXES; m++) {
		show_queue(owner_of(&mutexes[m]), queues[m]);
	}
	for (int m = 0; m < MUTEXES; m++) {
		printf(" %d", owner_of(&mutexes[m]) >= 0 ? (int)mutexes[m].lock_count : 0);
	}
}

const struct machine machine_mutex = {
	"mutex", init, is_call, call, happen, choose, show, NULL, 1,
};
