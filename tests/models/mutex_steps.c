/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's mutexes as mutex_steps.pml has them, step by step: a thread is held in each window of
 * its call by a handler that comes there, and makes the controller more urgent than it is (steps.c).
 */
#include <stdio.h>

#include <host.h>
#include "kernel/base/kernel.h"
#include "kernel/objects/mutex.h"
#include "kernel/sched/sched.h"
#include "machine.h"

#define MUTEXES 2
#define SCALE   2 /* of priorities: between two of the model's there is room for the controller */
#define SPACING (4 * SCALE)
#define LINE    6 /* not that of steps.c */

enum { LOCK, UNLOCK, EXPIRE, END, START, PRIO, STEP, COMMANDS };
enum { PRIO_OWN, PRIO_ABOVE, PRIO_BELOW, PRIOS };

static struct k_mutex mutexes[MUTEXES];
static struct k_thread *controller;
static unsigned int locks[THREADS]; /* of its call, so far */
static bool is_held[THREADS];
static bool is_ending[THREADS]; /* and goes through its windows, if it has some to finish */

/* The most urgent that is held, or THREADS. */
static int first_held(void)
{
	int first = THREADS;

	for (int t = 0; t < THREADS; t++) {
		if (is_held[t] && (first == THREADS || threads[t].prio < threads[first].prio)) {
			first = t;
		}
	}
	return first;
}

/* More urgent than whoever is held; less urgent than all others where nobody is. */
static int prio_of_controller(void)
{
	int first = first_held();

	return first == THREADS ? K_LOWEST_APPLICATION_THREAD_PRIO : threads[first].prio - 1;
}

static void hold_back(void)
{
	k_thread_priority_set(controller, prio_of_controller());
}

static void handler(const void *unused)
{
	hold_back();
}

/* Interrupts are open and about to be masked: behind the first of a call that is a window. */
static void before_lock(void)
{
	int t = number_of(k_cpu.current);

	if (t == NOBODY || arch_in_isr() || is_idle(t) || is_dead(t) || is_ending[t] ||
	    locks[t]++ == 0) {
		return;
	}
	is_held[t] = true;
	/* Anew where others lend it more than the controller has. */
	while (*(volatile bool *)&is_held[t]) {
		host_irq_raise(LINE);
	}
}

static void init(void)
{
	controller = k_current_get();
	for (int m = 0; m < MUTEXES; m++) {
		(void)k_mutex_init(&mutexes[m]);
	}
	IRQ_CONNECT(LINE, 0, handler, NULL, 0);
	irq_enable(LINE);
	host_cpu.before_lock = before_lock;
}

static bool is_call(int what)
{
	return what == LOCK || what == UNLOCK;
}

static long call(const struct command *command)
{
	long result;

	locks[command->t] = 0;
	result = command->what == LOCK ? k_mutex_lock(&mutexes[command->a], timeout_of(command->b))
				       : k_mutex_unlock(&mutexes[command->a]);
	locks[command->t] = 0;
	return result;
}

static int prio_of(int t, int which)
{
	static const int first[] = {[PRIO_OWN] = 4, [PRIO_ABOVE] = 1, [PRIO_BELOW] = 16};

	return (first[which] + (which == PRIO_OWN ? 4 * t : t)) * SCALE;
}

static void happen(const struct command *command)
{
	const int t = command->t;

	k_thread_priority_set(controller, 0); /* nobody runs before it is done */
	switch (command->what) {
	case STEP:
		is_held[t] = false;
		break;
	case EXPIRE:
		time_runs_out(t);
		break;
	case END:
		is_held[t] = false;
		is_ending[t] = true;
		k_thread_abort(&threads[t]);
		is_ending[t] = false;
		break;
	case START:
		locks[t] = 0;
		start(t);
		break;
	default:
		k_thread_priority_set(&threads[t], prio_of(t, command->a));
		break;
	}
	/* Whoever is held, and is the first now, holds itself back. */
	k_thread_priority_set(controller, K_LOWEST_APPLICATION_THREAD_PRIO);
}

/* It is in no call, and more urgent than whoever is held. */
static bool would_run(int t, int prio)
{
	int first = first_held();

	return first == THREADS || prio < threads[first].prio;
}

static bool may_lock(int t, int m, int how)
{
	if (owner_of(&mutexes[m]) == t) {
		return mutexes[m].lock_count < 3 && how == HOW_NO_WAIT;
	}
	return how == HOW_NO_WAIT || m == MUTEXES - 1 || owner_of(&mutexes[MUTEXES - 1]) != t;
}

static bool may_come(const struct command *command)
{
	const int t = command->t;

	switch (command->what) {
	case LOCK:
		return is_idle(t) && would_run(t, threads[t].prio) &&
		       may_lock(t, command->a, command->b);
	case UNLOCK:
		return is_idle(t) && would_run(t, threads[t].prio) &&
		       owner_of(&mutexes[command->a]) == t;
	case EXPIRE:
		return is_timed(t);
	case END:
		return !is_dead(t) && below(6) == 0;
	case START:
		return is_dead(t) && would_run(t, prio_of(t, PRIO_OWN));
	case STEP:
		return t == first_held();
	default:
		return !is_dead(t) && below(2) == 0;
	}
}

static void choose(struct command *command)
{
	do {
		command->what = (int)below(COMMANDS);
		command->t = (int)below(THREADS);
		command->a = command->what == PRIO    ? (int)below(PRIOS)
			     : command->what < EXPIRE ? (int)below(MUTEXES)
						      : 0;
		command->b = command->what == LOCK ? (int)below(3) : 0;
	} while (!may_come(command));
}

static int place_of(int t)
{
	for (int m = 0; m < MUTEXES && !is_dead(t) && !is_idle(t); m++) {
		if ((threads[t].state & K_THREAD_PENDING) != 0 &&
		    threads[t].pended_on == &mutexes[m].wait_q) {
			return m;
		}
	}
	return IN_NONE;
}

static void show(void)
{
	for (int t = 0; t < THREADS; t++) {
		printf(" %d %d %d %d %d %ld;", is_dead(t), place_of(t),
		       is_held[t] ? (int)locks[t] - 1 : 0, is_timed(t),
		       is_dead(t) ? 0 : threads[t].prio / SCALE, is_idle(t) ? result_of(t) : 0L);
	}
	for (int m = 0; m < MUTEXES; m++) {
		show_queue(owner_of(&mutexes[m]), &mutexes[m].wait_q);
		printf(" %d", owner_of(&mutexes[m]) >= 0 ? (int)mutexes[m].lock_count : 0);
	}
}

const struct machine machine_mutex_steps = {
	"mutex_steps", init, is_call, call, happen, choose, show, NULL, SPACING,
};
