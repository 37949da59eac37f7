/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel side of the models in Spin: commands are done one by one, and the state is printed
 * behind each, as the model prints its own.
 *
 *   firmware.elf MODEL script FILE          those of a model's trace
 *   firmware.elf MODEL random SEED STEPS    made up here, for the model to follow
 *
 * Threads are told by mail what to call. The controller is less urgent than all of them: it goes on
 * when they have come to rest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <board.h>
#include <host.h>
#include "kernel/base/kernel.h"
#include "kernel/objects/mutex.h"
#include "kernel/sched/sched.h"
#include "kernel/time/clock.h"
#include "kernel/time/timeout.h"
#include "machine.h"

#define STACK_SIZE 4096
#define LINE_MAX_  256

static const struct machine *const machines[] = {
	&machine_mutex,   &machine_ipc,   &machine_work,        &machine_pipe,
	&machine_condvar, &machine_steps, &machine_mutex_steps,
};
static const struct machine *machine;

struct k_thread threads[THREADS];
K_THREAD_STACK_ARRAY_DEFINE(stacks, THREADS, STACK_SIZE);
static struct k_sem mail[THREADS];
static struct command told[THREADS];
static bool is_calling[THREADS];
static long results[THREADS];
static uint64_t chance;

unsigned int below(unsigned int n)
{
	chance = chance * 6364136223846793005ULL + 1442695040888963407ULL;
	return (unsigned int)((chance >> 33) % n);
}

bool is_dead(int t)
{
	return (threads[t].state & K_THREAD_DEAD) != 0;
}

bool is_idle(int t)
{
	return !is_dead(t) && !is_calling[t];
}

bool is_timed(int t)
{
	return (threads[t].state & K_THREAD_TIMED) != 0;
}

long result_of(int t)
{
	return results[t];
}

int number_of(const struct k_thread *thread)
{
	for (int t = 0; t < THREADS; t++) {
		if (thread == &threads[t]) {
			return t;
		}
	}
	return NOBODY;
}

int owner_of(const struct k_mutex *mutex)
{
	const struct k_thread *owner = mutex_owner(mutex);

	if (mutex->generation == GENERATION_NOBODY) {
		return NOBODY;
	}
	return owner == NULL ? ENDED : number_of(owner);
}

k_timeout_t timeout_of(int how)
{
	return how == HOW_NO_WAIT ? K_NO_WAIT : how == HOW_TIMED ? K_TICKS(1 << 28) : K_FOREVER;
}

/* Before all others': as if it had been given less. */
void timeout_runs_out(struct timeout *timeout)
{
	unsigned int key = irq_lock();

	timeout_cancel(timeout);
	timeout_add(timeout, clock_ticks() + 1U);
	irq_unlock(key);
	host_advance(2 * (BOARD_TIMER_HZ / CONFIG_SYS_CLOCK_TICKS_PER_SEC));
}

void time_runs_out(int t)
{
	timeout_runs_out(&threads[t].timeout);
}

static void go_on(int reader);

static void entry(void *self, void *p2, void *p3)
{
	const int t = (int)(intptr_t)self;

	for (;;) {
		(void)k_sem_take(&mail[t], K_FOREVER);
		results[t] = machine->call(&told[t]);
		is_calling[t] = false;
		go_on(t);
	}
}

void start(int t)
{
	results[t] = 0;
	is_calling[t] = false;
	(void)k_sem_init(&mail[t], 0, 1);
	(void)k_thread_create(&threads[t], stacks[t], STACK_SIZE, entry, (void *)(intptr_t)t, NULL,
			      NULL, (t + 1) * machine->spacing, 0, K_NO_WAIT);
}

void happen_to_thread(const struct command *command, int first)
{
	enum { EXPIRE, END, START };

	switch (command->what - first) {
	case EXPIRE:
		time_runs_out(command->t);
		break;
	case END:
		k_thread_abort(&threads[command->t]);
		break;
	case START:
		start(command->t);
		break;
	default:
		k_thread_priority_set(&threads[command->t], command->a);
		break;
	}
}

/* ---- the state ---- */

static int where(int t, const _wait_q_t *const queues[], int num_queues)
{
	for (int k = 0; k < num_queues && is_calling[t] && !is_dead(t); k++) {
		if ((threads[t].state & K_THREAD_PENDING) != 0 &&
		    threads[t].pended_on == queues[k]) {
			return k;
		}
	}
	return IN_NONE;
}

void show_threads(const _wait_q_t *const queues[], int num_queues)
{
	for (int t = 0; t < THREADS; t++) {
		int at = where(t, queues, num_queues);
		bool has_result = at == IN_NONE && !is_dead(t);

		printf(" %d %d %d %ld;", is_dead(t), at, is_dead(t) ? 0 : threads[t].prio,
		       has_result ? results[t] : 0L);
	}
}

void show_queue(int owner, const _wait_q_t *queue)
{
	printf(" %d[", owner);
	for (struct k_thread *one = wait_q_head(queue); one != NULL;
	     one = wait_q_next(queue, one)) {
		printf(" %d", number_of(one));
	}
	printf(" ]");
}

/* ---- commands ---- */

#define COMMANDS_MAX 4096
#define CONTROLLER   THREADS

static struct command commands[COMMANDS_MAX]; /* of a file */
static int num_commands;
static bool are_made_up;
static int num_begun;
static int num_shown;

static const struct command *next(void)
{
	if (num_begun == num_commands) {
		return NULL;
	}
	if (are_made_up && num_begun == num_shown) {
		commands[num_begun] = (struct command){0};
		machine->choose(&commands[num_begun]);
	}
	return &commands[num_begun];
}

/* Does nobody but `t` have anything to do? */
static bool is_quiet(int t)
{
	if (machine->other != NULL && (machine->other->state & K_THREAD_PENDING) == 0) {
		return false;
	}
	for (int other = 0; other < THREADS; other++) {
		if (other != t && !is_dead(other) &&
		    (threads[other].state & K_THREAD_PENDING) == 0) {
			return false;
		}
	}
	return true;
}

/*
 * A thread whose call has returned may be the one that has a more urgent thread make the next: so
 * that is made while an owner or a server is ready to run, which most often it is.
 */
static bool may_tell(int reader, const struct command *command)
{
	return reader == CONTROLLER ||
	       (machine->is_call(command->what) && command->t != reader && is_idle(command->t) &&
		threads[command->t].prio < threads[reader].prio);
}

static void show_once(void)
{
	if (num_shown < num_begun) {
		num_shown = num_begun;
		printf("=");
		machine->show();
		printf("\n");
	}
}

static void obey(const struct command *command)
{
	printf("@ %d %d %d %d\n", command->what, command->t, command->a, command->b);
	num_begun++;
	if (machine->is_call(command->what)) {
		told[command->t] = *command;
		is_calling[command->t] = true;
		k_sem_give(&mail[command->t]);
	} else {
		machine->happen(command);
	}
}

static void go_on(int reader)
{
	const struct command *command;

	while (reader == CONTROLLER || is_quiet(reader)) {
		show_once();
		command = next();
		if (command == NULL || !may_tell(reader, command)) {
			return;
		}
		obey(command);
	}
}

static bool read_commands(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[LINE_MAX_];

	if (file == NULL) {
		return false;
	}
	while (num_commands < COMMANDS_MAX && fgets(line, sizeof(line), file) != NULL) {
		struct command *one = &commands[num_commands];

		num_commands += sscanf(line, "@ %d %d %d %d", &one->what, &one->t, &one->a,
				       &one->b) == 4;
	}
	(void)fclose(file);
	return true;
}

int main(void)
{
	if (host_argc < 4) {
		fprintf(stderr, "usage: %s MODEL script FILE | MODEL random SEED STEPS\n",
			host_argv[0]);
		k_exit(2);
	}
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		if (strcmp(machines[i]->name, host_argv[1]) == 0) {
			machine = machines[i];
		}
	}
	if (machine == NULL) {
		k_exit(2);
	}
	host_read_cost_cycles = 0;
	host_limit_cycles = UINT64_MAX;
	k_thread_priority_set(k_current_get(), K_LOWEST_APPLICATION_THREAD_PRIO);
	machine->init();
	for (int t = 0; t < THREADS; t++) {
		start(t);
	}
	if (strcmp(host_argv[2], "script") == 0) {
		if (!read_commands(host_argv[3])) {
			k_exit(2);
		}
	} else {
		are_made_up = true;
		chance = strtoull(host_argv[3], NULL, 10);
		num_commands = host_argc > 4 ? MIN(atoi(host_argv[4]), COMMANDS_MAX) : 100;
	}
	go_on(CONTROLLER);
	k_exit(0);
}
