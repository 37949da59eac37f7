/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's semaphore as steps.pml has it, step by step: a thread is held in each window of its
 * call by a handler that comes there, and makes the controller more urgent than it is.
 */
#include <stdio.h>

#include <host.h>
#include "kernel/base/kernel.h"
#include "kernel/sched/sched.h"
#include "machine.h"

#define LIMIT   2
#define SPACING 2 /* of priorities: between two threads there is room for the controller */
#define LINE    5

enum { TAKE, GIVE, STEP, EXPIRE, END, START, COMMANDS };
enum { BY_THREAD, BY_HANDLER };

static struct k_sem sem;
static struct k_thread *controller;
static unsigned int locks[THREADS]; /* of its call, so far */
static bool is_held[THREADS];
static bool is_giving;

/* The most urgent that is held, or THREADS. */
static int first_held(void)
{
	int t = 0;

	while (t < THREADS && !is_held[t]) {
		t++;
	}
	return t;
}

/* More urgent than whoever is held; less urgent than all others where nobody is. */
static int prio_of_controller(void)
{
	int first = first_held();

	return first == THREADS ? K_LOWEST_APPLICATION_THREAD_PRIO : threads[first].prio - 1;
}

static void handler(const void *unused)
{
	if (is_giving) {
		is_giving = false;
		k_sem_give(&sem);
		return;
	}
	k_thread_priority_set(controller, prio_of_controller());
}

/* Interrupts are open and about to be masked: behind the first of a call that is a window. */
static void before_lock(void)
{
	int t = number_of(k_cpu.current);

	if (t == NOBODY || arch_in_isr() || is_idle(t) || is_dead(t) || locks[t]++ == 0) {
		return;
	}
	is_held[t] = true;
	host_irq_raise(LINE);
}

static void init(void)
{
	controller = k_current_get();
	(void)k_sem_init(&sem, 0, LIMIT);
	IRQ_CONNECT(LINE, 0, handler, NULL, 0);
	irq_enable(LINE);
	host_cpu.before_lock = before_lock;
}

static bool is_call(int what)
{
	return what == TAKE;
}

static long call(const struct command *command)
{
	long result;

	locks[command->t] = 0;
	result = k_sem_take(&sem, timeout_of(command->b));
	locks[command->t] = 0;
	return result;
}

/* The controller goes back to where it was, and whoever was held goes on. */
static void let_go(int t)
{
	is_held[t] = false;
	k_thread_priority_set(controller, prio_of_controller());
}

static void happen(const struct command *command)
{
	switch (command->what) {
	case GIVE:
		if (command->a == BY_HANDLER) {
			is_giving = true;
			host_irq_raise(LINE);
		} else {
			k_sem_give(&sem);
		}
		break;
	case STEP:
		let_go(command->t);
		break;
	case EXPIRE:
		time_runs_out(command->t);
		break;
	case END:
		k_thread_abort(&threads[command->t]);
		let_go(command->t);
		break;
	default:
		locks[command->t] = 0;
		start(command->t);
		break;
	}
}

static bool may_come(const struct command *command)
{
	const int t = command->t;

	switch (command->what) {
	case TAKE:
		return is_idle(t) && t < first_held();
	case STEP:
		return t == first_held();
	case EXPIRE:
		return is_timed(t);
	case END:
		return !is_dead(t) && below(6) == 0;
	case START:
		return is_dead(t) && t < first_held();
	default:
		return below(2) == 0;
	}
}

static void choose(struct command *command)
{
	do {
		command->what = (int)below(COMMANDS);
		command->t = command->what == GIVE ? 0 : (int)below(THREADS);
		command->a = command->what == GIVE ? (int)below(2) : 0;
		command->b = command->what == TAKE ? (int)below(3) : 0;
	} while (!may_come(command));
}

static int window_of(int t)
{
	return is_held[t] ? (int)locks[t] - 1 : 0;
}

static void show(void)
{
	for (int t = 0; t < THREADS; t++) {
		bool waits = !is_dead(t) && !is_idle(t) && threads[t].pended_on == &sem.wait_q &&
			     (threads[t].state & K_THREAD_PENDING) != 0;

		printf(" %d %d %d %d %ld;", is_dead(t), waits ? 0 : IN_NONE, window_of(t),
		       is_timed(t), is_idle(t) ? result_of(t) : 0L);
	}
	printf(" [");
	for (struct k_thread *one = wait_q_head(&sem.wait_q); one != NULL;
	     one = wait_q_next(&sem.wait_q, one)) {
		printf(" %d", number_of(one));
	}
	printf(" ] %d", (int)sem.count);
}

const struct machine machine_steps = {
	"steps", init, is_call, call, happen, choose, show, NULL, SPACING,
};
