/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's pipe as pipe.pml has it. A byte says who wrote it, and where in its call. */
#include <stdio.h>

#include "kernel/base/kernel.h"
#include "kernel/objects/pipe.h"
#include "machine.h"

#define SIZE 2
#define MOST 4

enum { WRITE, READ, NUM_CALLS };
enum { EXPIRE = NUM_CALLS, END, START, RESET, CLOSE, OPEN, COMMANDS };

static uint8_t buffer[SIZE];
static struct k_pipe pipe;

static void init(void)
{
	k_pipe_init(&pipe, buffer, SIZE);
}

static bool is_call(int what)
{
	return what < NUM_CALLS;
}

static long call(const struct command *command)
{
	const k_timeout_t timeout = timeout_of(command->b);
	uint8_t bytes[MOST];
	long sum = 0;
	long moved;

	for (int i = 0; i < MOST; i++) {
		bytes[i] = (uint8_t)(command->t * MOST + i);
	}
	if (command->what == WRITE) {
		return k_pipe_write(&pipe, bytes, (size_t)command->a, timeout);
	}
	moved = k_pipe_read(&pipe, bytes, (size_t)command->a, timeout);
	for (int i = 0; i < moved; i++) {
		sum += bytes[i] * (i + 1);
	}
	return moved > 0 ? sum * 8 + moved : moved;
}

static void happen(const struct command *command)
{
	switch (command->what) {
	case RESET:
		k_pipe_reset(&pipe);
		break;
	case CLOSE:
		k_pipe_close(&pipe);
		break;
	case OPEN:
		init();
		break;
	default:
		happen_to_thread(command, EXPIRE);
		break;
	}
}

static bool may_come(const struct command *command)
{
	switch (command->what) {
	case EXPIRE:
		return is_timed(command->t);
	case END:
		return !is_dead(command->t) && below(4) == 0;
	case START:
		return is_dead(command->t);
	case RESET:
		return below(4) == 0;
	case CLOSE:
		return !pipe.is_closed && below(6) == 0;
	case OPEN:
		return pipe.is_closed;
	default:
		return is_idle(command->t);
	}
}

static void choose(struct command *command)
{
	do {
		command->what = (int)below(COMMANDS);
		command->t = command->what < RESET ? (int)below(THREADS) : 0;
		command->a = command->what < NUM_CALLS ? 1 + (int)below(MOST - 1) : 0;
		command->b = command->what < NUM_CALLS ? (int)below(3) : 0;
	} while (!may_come(command));
}

static void show(void)
{
	const _wait_q_t *queues[] = {&pipe.readers, &pipe.writers};

	show_threads(queues, 2);
	show_queue(NOBODY, queues[0]);
	show_queue(NOBODY, queues[1]);
	printf(" %d %d", (int)pipe.used, pipe.is_closed);
}

const struct machine machine_pipe = {
	"pipe", init, is_call, call, happen, choose, show, NULL, 1,
};
