/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's condition variable, and its mutex, as condvar.pml has them. */
#include <stdio.h>

#include "kernel/base/kernel.h"
#include "kernel/objects/mutex.h"
#include "machine.h"

#define MOST_LOCKED 3

enum { LOCK, UNLOCK, WAIT, SIGNAL, BROADCAST, NUM_CALLS };
enum { EXPIRE = NUM_CALLS, END, START, PRIO, WAKE_ALL, COMMANDS };

static struct k_mutex mutex;
static struct k_condvar condition;

static void init(void)
{
	(void)k_mutex_init(&mutex);
	(void)k_condvar_init(&condition);
}

static bool is_call(int what)
{
	return what < NUM_CALLS;
}

static long call(const struct command *command)
{
	switch (command->what) {
	case LOCK:
		return k_mutex_lock(&mutex, timeout_of(command->b));
	case UNLOCK:
		return k_mutex_unlock(&mutex);
	case WAIT:
		return k_condvar_wait(&condition, &mutex, timeout_of(command->b));
	case SIGNAL:
		return k_condvar_signal(&condition);
	default:
		return k_condvar_broadcast(&condition);
	}
}

static void happen(const struct command *command)
{
	if (command->what == WAKE_ALL) {
		(void)k_condvar_broadcast(&condition);
	} else {
		happen_to_thread(command, EXPIRE);
	}
}

static bool may_come(const struct command *command)
{
	const int t = command->t;

	switch (command->what) {
	case LOCK:
		return is_idle(t) && (owner_of(&mutex) != t || mutex.lock_count < MOST_LOCKED);
	case UNLOCK:
	case WAIT:
		return is_idle(t) && owner_of(&mutex) == t;
	case SIGNAL:
	case BROADCAST:
		return is_idle(t);
	case EXPIRE:
		return is_timed(t);
	case END:
		return !is_dead(t) && below(4) == 0;
	case START:
		return is_dead(t);
	case PRIO:
		return !is_dead(t) && below(2) == 0;
	default:
		return condition.wait_q.head != NULL && below(4) == 0;
	}
}

static void choose(struct command *command)
{
	do {
		command->what = (int)below(COMMANDS);
		command->t = command->what == WAKE_ALL ? 0 : (int)below(THREADS);
		command->a = command->what == PRIO ? (int)below(THREADS + 2) : 0;
		command->b = command->what == LOCK || command->what == WAIT ? (int)below(3) : 0;
	} while (!may_come(command));
}

static void show(void)
{
	const _wait_q_t *queues[] = {&mutex.wait_q, &condition.wait_q};

	show_threads(queues, 2);
	show_queue(owner_of(&mutex), queues[0]);
	show_queue(NOBODY, queues[1]);
	printf(" %d", owner_of(&mutex) >= 0 ? (int)mutex.lock_count : 0);
}

const struct machine machine_condvar = {
	"condvar", init, is_call, call, happen, choose, show, NULL, 1,
};
