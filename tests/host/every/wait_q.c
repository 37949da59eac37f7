/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wait queues: so many threads of so many priorities (and deadlines) join, first or last, and
 * leave, from anywhere. The model is a row.
 */
#include <string.h>

#include "kernel/sched/wait_q.h"
#include "every.h"

#ifndef THREADS
#define THREADS 5
#endif
/* Unevenly far apart: which end is nearer is decided by the difference. */
static const int8_t priorities[] = {-4, 0, 1, 6};
#define PRIORITIES (int)ARRAY_SIZE(priorities)
#ifdef CONFIG_SCHED_DEADLINE
#define DEADLINES 3 /* none, early, late */
#else
#define DEADLINES 1
#endif

static struct k_thread threads[THREADS];
static _wait_q_t queue;
static struct {
	int length;
	int line[THREADS];
} model;

enum { ADD, ADD_FIRST, APPEND, REMOVE, REMOVE_FIRST, HOWS };

struct operation {
	int how, thread, prio, deadline;
};

static struct operation of_number(int number)
{
	struct operation one;

	one.thread = number % THREADS;
	number /= THREADS;
	one.prio = number % PRIORITIES;
	number /= PRIORITIES;
	one.deadline = number % DEADLINES;
	one.how = number / DEADLINES;
	return one;
}

static int place_of(int thread)
{
	for (int i = 0; i < model.length; i++) {
		if (model.line[i] == thread) {
			return i;
		}
	}
	return -1;
}

static bool may(int number)
{
	const struct operation one = of_number(number);
	int place = place_of(one.thread);

	switch (one.how) {
	case APPEND: /* where others wait */
		return place < 0 && model.length > 0;
	case REMOVE:
		return place >= 0 && one.prio == 0 && one.deadline == 0;
	case REMOVE_FIRST:
		return place == 0 && one.prio == 0 && one.deadline == 0;
	case ADD_FIRST: /* is for the running thread, that a deadline does not order */
		return place < 0 && DEADLINES == 1;
	default:
		return place < 0;
	}
}

static bool goes_before(const struct k_thread *a, const struct k_thread *b)
{
	return a->prio != b->prio ? a->prio < b->prio : deadline_is_earlier(a, b);
}

static void model_add(int thread, bool as_first)
{
	const struct k_thread *own = &threads[thread];
	int at = 0;

	while (at < model.length && (as_first ? threads[model.line[at]].prio < own->prio
					      : !goes_before(own, &threads[model.line[at]]))) {
		at++;
	}
	memmove(&model.line[at + 1], &model.line[at],
		(size_t)(model.length - at) * sizeof(model.line[0]));
	model.line[at] = thread;
	model.length++;
}

static void model_remove(int thread)
{
	int at = place_of(thread);

	memmove(&model.line[at], &model.line[at + 1],
		(size_t)(model.length - at - 1) * sizeof(model.line[0]));
	model.line[--model.length] = 0;
}

static bool is_alike(int a, int b)
{
	return threads[model.line[a]].prio == threads[model.line[b]].prio;
}

/* Both ways round, and each group's ends know one another. */
static void compare(void)
{
	struct k_thread *one = wait_q_head(&queue);

	for (int i = 0; i < model.length; i++) {
		check(one == &threads[model.line[i]], "who waits where");
		check(one->next->prev == one && one->prev->next == one, "links both ways");
		check(wait_q_is_first_of_group(&queue, one) == (i == 0 || !is_alike(i, i - 1)),
		      "a group's first");
		check(wait_q_is_last_of_group(&queue, one) ==
			      (i + 1 == model.length || !is_alike(i, i + 1)),
		      "a group's last");
		one = wait_q_next(&queue, one);
	}
	check(one == NULL, "nobody else waits");
	for (int first = 0, last; first < model.length && model.length > 1; first = last + 1) {
		for (last = first; last + 1 < model.length && is_alike(first, last + 1); last++) {
		}
		check(threads[model.line[first]].peer == &threads[model.line[last]] &&
			      threads[model.line[last]].peer == &threads[model.line[first]],
		      "ends know one another");
	}
}

/* What nobody may read leads nowhere: who is not there, in the middle of a group, or alone. */
static void forget(void)
{
	for (int thread = 0; thread < THREADS; thread++) {
		struct k_thread *one = &threads[thread];

		if (place_of(thread) < 0) {
			one->next = NULL;
			one->prev = NULL;
			one->peer = NULL;
			one->prio = 0;
		} else if (model.length == 1 || (!wait_q_is_first_of_group(&queue, one) &&
						 !wait_q_is_last_of_group(&queue, one))) {
			one->peer = NULL;
		}
	}
}

static void dress(struct k_thread *thread, const struct operation *one)
{
	thread->prio = priorities[one->prio];
#ifdef CONFIG_SCHED_DEADLINE
	thread->has_deadline = one->deadline != 0;
	thread->deadline = one->deadline == 1 ? 0xFFFFFFF0U : 0x10U; /* the later has wrapped */
#endif
}

static void apply(int number)
{
	const struct operation one = of_number(number);
	struct k_thread *thread = &threads[one.thread];

	switch (one.how) {
	case ADD:
		dress(thread, &one);
		model_add(one.thread, false);
		wait_q_add(&queue, thread);
		break;
	case ADD_FIRST:
		dress(thread, &one);
		model_add(one.thread, true);
		wait_q_add_first(&queue, thread);
		break;
	case APPEND:
		dress(thread, &one);
		model_add(one.thread, false);
		if (!wait_q_append(&queue, thread)) {
			wait_q_join(&queue, thread);
		}
		break;
	case REMOVE:
		model_remove(one.thread);
		wait_q_remove(&queue, thread);
		break;
	default:
		model_remove(one.thread);
		wait_q_remove_first_inline(&queue, thread);
		break;
	}
	compare();
	forget();
}

static void show(int number, FILE *out)
{
	static const char *const names[] = {"add", "add first", "append", "remove", "remove first"};
	const struct operation one = of_number(number);

	fprintf(out, "%s %d, priority %d, deadline %d", names[one.how], one.thread,
		priorities[one.prio], one.deadline);
}

int main(int argc, char **argv)
{
	static struct every every = {
		"wait queue", {{0}}, 0, HOWS * THREADS * PRIORITIES * DEADLINES, may, apply, show};

	every_part(&every, &queue, sizeof(queue));
	every_part(&every, &model, sizeof(model));
	for (int thread = 0; thread < THREADS; thread++) {
		struct k_thread *one = &threads[thread];

		every_part(&every, &one->next, sizeof(one->next));
		every_part(&every, &one->prev, sizeof(one->prev));
		every_part(&every, &one->peer, sizeof(one->peer));
		every_part(&every, &one->prio, sizeof(one->prio));
#ifdef CONFIG_SCHED_DEADLINE
		every_part(&every, &one->deadline, sizeof(one->deadline));
		every_part(&every, &one->has_deadline, sizeof(one->has_deadline));
#endif
	}
	return every_sequence(&every, every_depth(argc, argv));
}
