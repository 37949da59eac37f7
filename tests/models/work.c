/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's work items as work.pml has them. A handler goes on until it is told to end. */
#include <stdio.h>

#include "kernel/base/kernel.h"
#include "kernel/work/work.h"
#include "machine.h"

#define ITEMS      2
#define STACK_SIZE 4096
#define PRIORITY   (THREADS + 1)

/* The last item is a delayable one. */
enum { SUBMIT, FLUSH, CANCEL, CANCEL_SYNC, END, START, DONE, TIME, SCHEDULE, RESCHEDULE, COMMANDS };

static struct k_work_q queue;
K_THREAD_STACK_DEFINE(queue_stack, STACK_SIZE);
static struct k_work_delayable items[ITEMS];
#define DELAYABLE (&items[ITEMS - 1])
static struct k_sem may_end;
static int again; /* 1 more than what the handler submits before it ends */
static int running = NOBODY;

static void handler(struct k_work *work)
{
	running = (int)(k_work_delayable_from_work(work) - items);
	(void)k_sem_take(&may_end, K_FOREVER);
	if (again != 0) {
		(void)k_work_submit_to_queue(&queue, &items[again - 1].work);
	}
	running = NOBODY;
}

static void init(void)
{
	(void)k_sem_init(&may_end, 0, 1);
	k_work_queue_init(&queue);
	k_work_queue_start(&queue, queue_stack, STACK_SIZE, PRIORITY, NULL);
	for (int i = 0; i < ITEMS; i++) {
		k_work_init_delayable(&items[i], handler);
	}
}

static bool is_call(int what)
{
	return what <= CANCEL_SYNC || what == SCHEDULE || what == RESCHEDULE;
}

static long call_of_delayable(const struct command *command)
{
	k_timeout_t delay = timeout_of(command->b);
	struct k_work_sync sync;

	switch (command->what) {
	case SUBMIT:
		return k_work_submit_to_queue(&queue, &DELAYABLE->work);
	case FLUSH:
		return k_work_flush_delayable(DELAYABLE, &sync);
	case CANCEL:
		return k_work_cancel_delayable(DELAYABLE);
	case CANCEL_SYNC:
		return k_work_cancel_delayable_sync(DELAYABLE, &sync);
	case SCHEDULE:
		return k_work_schedule_for_queue(&queue, DELAYABLE, delay);
	default:
		return k_work_reschedule_for_queue(&queue, DELAYABLE, delay);
	}
}

static long call(const struct command *command)
{
	struct k_work *item = &items[command->a].work;
	struct k_work_sync sync;

	if (command->a == ITEMS - 1) {
		return call_of_delayable(command);
	}
	switch (command->what) {
	case SUBMIT:
		return k_work_submit_to_queue(&queue, item);
	case FLUSH:
		return k_work_flush(item, &sync);
	case CANCEL:
		return k_work_cancel(item);
	default:
		return k_work_cancel_sync(item, &sync);
	}
}

static void happen(const struct command *command)
{
	switch (command->what) {
	case END:
		k_thread_abort(&threads[command->t]);
		break;
	case START:
		start(command->t);
		break;
	case TIME:
		timeout_runs_out(&DELAYABLE->timeout);
		break;
	default:
		again = command->a;
		k_sem_give(&may_end);
		break;
	}
}

static bool may_come(const struct command *command)
{
	switch (command->what) {
	case END:
		return !is_dead(command->t) && below(4) == 0;
	case START:
		return is_dead(command->t);
	case DONE:
		return running != NOBODY;
	case TIME:
		return (k_work_delayable_busy_get(DELAYABLE) & K_WORK_DELAYED) != 0;
	default:
		return is_idle(command->t);
	}
}

static void choose(struct command *command)
{
	do {
		command->what = (int)below(COMMANDS);
		command->t = command->what == DONE || command->what == TIME ? 0
									    : (int)below(THREADS);
		command->a = command->what <= CANCEL_SYNC ? (int)below(ITEMS)
			     : command->what == DONE      ? (int)below(ITEMS + 1)
			     : command->what >= TIME      ? ITEMS - 1
							  : 0;
		command->b = command->what >= SCHEDULE ? (int)below(2) : 0;
	} while (!may_come(command));
}

static void show(void)
{
	const _wait_q_t *queues[] = {&queue.syncs};

	show_threads(queues, 1);
	show_queue(NOBODY, &queue.syncs);
	for (int i = 0; i < ITEMS; i++) {
		printf(" %d", k_work_busy_get(&items[i].work));
	}
	printf(" %d(", running);
	for (const struct k_work *one = queue.head; one != NULL; one = one->next) {
		printf(" %d",
		       (int)(k_work_delayable_from_work((struct k_work *)(uintptr_t)one) - items));
	}
	printf(" )");
}

const struct machine machine_work = {
	"work", init, is_call, call, happen, choose, show, &queue.thread, 1,
};
