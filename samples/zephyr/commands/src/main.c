/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A server that waits for several things at once: commands in a message queue, a heartbeat that a
 * timer's interrupt gives by a semaphore, and a signal that it shall end. Clients wait for their
 * answer by a semaphore of their own, which stands in the command.
 */
#include <stdlib.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>

#define CLIENTS    3
#define COMMANDS   5
#define STACK_SIZE 1024

enum operation { ADD, MULTIPLY };

struct command {
	enum operation operation;
	int operand;
	int *answer;
	struct k_sem *answered;
};

K_MSGQ_DEFINE(commands, sizeof(struct command), 4, sizeof(void *));
K_SEM_DEFINE(heartbeat, 0, 1);
static struct k_poll_signal stop = K_POLL_SIGNAL_INITIALIZER(stop);

static int accumulator = 1;
static int served;
static int beats;
static int stopped_with;

static void beat(struct k_timer *timer)
{
	ARG_UNUSED(timer);
	k_sem_give(&heartbeat);
}
K_TIMER_DEFINE(beat_timer, beat, NULL);

static void serve_command(void)
{
	struct command command;

	while (k_msgq_get(&commands, &command, K_NO_WAIT) == 0) {
		if (command.operation == ADD) {
			accumulator += command.operand;
		} else {
			accumulator = (accumulator * command.operand) % 1000;
		}
		served++;
		*command.answer = accumulator;
		k_sem_give(command.answered);
	}
}

static void server(void *p1, void *p2, void *p3)
{
	struct k_poll_event events[] = {
		K_POLL_EVENT_INITIALIZER(K_POLL_TYPE_MSGQ_DATA_AVAILABLE, K_POLL_MODE_NOTIFY_ONLY,
					 &commands),
		K_POLL_EVENT_INITIALIZER(K_POLL_TYPE_SEM_AVAILABLE, K_POLL_MODE_NOTIFY_ONLY,
					 &heartbeat),
		K_POLL_EVENT_INITIALIZER(K_POLL_TYPE_SIGNAL, K_POLL_MODE_NOTIFY_ONLY, &stop),
	};
	unsigned int stopped = 0;

	ARG_UNUSED(p1);
	ARG_UNUSED(p2);
	ARG_UNUSED(p3);
	while (stopped == 0 && k_poll(events, ARRAY_SIZE(events), K_FOREVER) == 0) {
		if (events[0].state == K_POLL_STATE_MSGQ_DATA_AVAILABLE) {
			serve_command();
		}
		if (events[1].state == K_POLL_STATE_SEM_AVAILABLE &&
		    k_sem_take(&heartbeat, K_NO_WAIT) == 0) {
			beats++;
		}
		if (events[2].state == K_POLL_STATE_SIGNALED) {
			k_poll_signal_check(&stop, &stopped, &stopped_with);
			k_poll_signal_reset(&stop);
		}
		ARRAY_FOR_EACH_PTR(events, event)
		{
			event->state = K_POLL_STATE_NOT_READY;
		}
	}
}
K_THREAD_DEFINE(server_thread, STACK_SIZE, server, NULL, NULL, NULL, 5, 0, 0);

static void client(void *number, void *p2, void *p3)
{
	int id = POINTER_TO_INT(number);
	struct k_sem answered;
	int answer = 0;

	ARG_UNUSED(p2);
	ARG_UNUSED(p3);
	k_sem_init(&answered, 0, 1);
	for (int i = 0; i < COMMANDS; i++) {
		struct command command = {i % 2 == 0 ? ADD : MULTIPLY, id + i + 1, &answer,
					  &answered};

		(void)k_msgq_put(&commands, &command, K_FOREVER);
		(void)k_sem_take(&answered, K_FOREVER);
		printk("client %d: %d\n", id, answer);
		k_msleep(10 + id);
	}
}
K_THREAD_DEFINE(client_0, STACK_SIZE, client, INT_TO_POINTER(0), NULL, NULL, 6, 0, 0);
K_THREAD_DEFINE(client_1, STACK_SIZE, client, INT_TO_POINTER(1), NULL, NULL, 6, 0, 0);
K_THREAD_DEFINE(client_2, STACK_SIZE, client, INT_TO_POINTER(2), NULL, NULL, 4, 0, 3);

int main(void)
{
	k_timer_start(&beat_timer, K_MSEC(7), K_MSEC(7));
	k_thread_join(client_0, K_FOREVER);
	k_thread_join(client_1, K_FOREVER);
	k_thread_join(client_2, K_FOREVER);
	(void)k_poll_signal_raise(&stop, 77);
	k_thread_join(server_thread, K_FOREVER);
	k_timer_stop(&beat_timer);
	printk("%d commands served, ended with %d, heartbeat %s\n", served, stopped_with,
	       beats >= 5 ? "steady" : "missing");
	exit(served == CLIENTS * COMMANDS && stopped_with == 77 && beats >= 5 ? 0 : 1);
}
