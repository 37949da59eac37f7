/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ready queue: so many threads of so many priorities come, in each of the ways that there are,
 * and go, from anywhere; below all of them is the idle thread, which stays. The model has a row a
 * priority.
 */
#include <string.h>

#include "kernel/sched/ready.h"
#include "every.h"

#ifndef THREADS
#define THREADS 4
#endif
/* Levels of both ends, and neighbours: a bit that is shifted too far is another's. */
static const int8_t priorities[] = {K_HIGHEST_THREAD_PRIO, K_HIGHEST_THREAD_PRIO + 1, 0,
				    K_LOWEST_THREAD_PRIO - 1};
#define PRIORITIES (int)ARRAY_SIZE(priorities)

struct cpu k_cpu;
static struct k_thread threads[THREADS];
static struct k_thread idle, running;

struct row {
	int length;
	int line[THREADS];
};
static struct {
	struct row rows[ARRAY_SIZE(priorities)];
} model;

enum { ADD_LAST, ADD_FIRST, ADD_PREEMPTED, ADD_BEHIND, REMOVE, GO_BEHIND, HOWS };

struct operation {
	int how, thread, prio;
};

static struct operation of_number(int number)
{
	return (struct operation){number / (THREADS * PRIORITIES), number % THREADS,
				  number / THREADS % PRIORITIES};
}

static int place_of(int thread, int prio)
{
	const struct row *row = &model.rows[prio];

	for (int i = 0; i < row->length; i++) {
		if (row->line[i] == thread) {
			return i;
		}
	}
	return -1;
}

static bool is_there(int thread)
{
	for (int prio = 0; prio < PRIORITIES; prio++) {
		if (place_of(thread, prio) >= 0) {
			return true;
		}
	}
	return false;
}

static const struct k_thread *most_urgent(void)
{
	for (int prio = 0; prio < PRIORITIES; prio++) {
		if (model.rows[prio].length > 0) {
			return &threads[model.rows[prio].line[0]];
		}
	}
	return &idle;
}

static bool may(int number)
{
	const struct operation one = of_number(number);
	const struct row *row = &model.rows[one.prio];

	switch (one.how) {
	case REMOVE:
		return place_of(one.thread, one.prio) >= 0;
	case GO_BEHIND: /* the first, which shares its level */
		return place_of(one.thread, one.prio) == 0 && row->length > 1;
	case ADD_PREEMPTED: /* nothing that is queued outranks it */
		return !is_there(one.thread) && priorities[one.prio] <= most_urgent()->prio;
	case ADD_BEHIND: /* behind one that has just come */
		return !is_there(one.thread) && row->length > 0;
	default:
		return !is_there(one.thread);
	}
}

static void compare(void)
{
	level_bits_t levels = 0;

	for (int prio = 0; prio < PRIORITIES; prio++) {
		const struct row *row = &model.rows[prio];
		unsigned int level = PRIO_LEVEL(priorities[prio]);
		const struct k_thread *one = k_cpu.level[level];

		for (int i = 0; i < row->length; i++) {
			check(one == &threads[row->line[i]], "who is where");
			check(one->next->prev == one && one->prev->next == one, "links both ways");
			check((one->state & K_THREAD_QUEUED) != 0, "knows that it is in the queue");
			check(ready_is_first(one) == (i == 0), "which is the first");
			one = one->next;
		}
		if (row->length > 0) {
			check(one == k_cpu.level[level], "nobody else is there");
			levels |= (level_bits_t)1 << level;
		}
	}
	levels |= (level_bits_t)1 << PRIO_LEVEL(K_IDLE_PRIO);
	check(k_cpu.levels == levels, "a bit for each level that has any");
	check(k_cpu.best == most_urgent(), "the most urgent");
	check(ready_search() == most_urgent(), "the most urgent, as it is searched");
}

/* Of who is not there nothing may be read; nor of a level that is empty. */
static void forget(void)
{
	for (int thread = 0; thread < THREADS; thread++) {
		if (!is_there(thread)) {
			check((threads[thread].state & K_THREAD_QUEUED) == 0,
			      "knows that it is out");
			threads[thread].next = NULL;
			threads[thread].prev = NULL;
			threads[thread].prio = 0;
		}
	}
	for (int prio = 0; prio < PRIORITIES; prio++) {
		if (model.rows[prio].length == 0) {
			k_cpu.level[PRIO_LEVEL(priorities[prio])] = NULL;
		}
	}
}

static void model_add(int thread, int prio, int at)
{
	struct row *row = &model.rows[prio];

	memmove(&row->line[at + 1], &row->line[at],
		(size_t)(row->length - at) * sizeof(row->line[0]));
	row->line[at] = thread;
	row->length++;
}

static void model_remove(int thread, int prio)
{
	struct row *row = &model.rows[prio];
	int at = place_of(thread, prio);

	memmove(&row->line[at], &row->line[at + 1],
		(size_t)(row->length - at - 1) * sizeof(row->line[0]));
	row->line[--row->length] = 0;
}

static void add(const struct operation *one)
{
	struct k_thread *thread = &threads[one->thread];
	struct k_thread *head = k_cpu.level[PRIO_LEVEL(priorities[one->prio])];
	const struct k_thread *best = k_cpu.best;

	thread->prio = priorities[one->prio];
	if (one->how == ADD_FIRST || one->how == ADD_PREEMPTED) {
		model_add(one->thread, one->prio, 0);
	} else {
		model_add(one->thread, one->prio, model.rows[one->prio].length);
	}
	switch (one->how) {
	case ADD_LAST:
		check(ready_add_last_inline(thread) == (most_urgent() != best), "says that it is");
		break;
	case ADD_FIRST:
		ready_add_first(thread);
		break;
	case ADD_PREEMPTED:
		ready_add_preempted_inline(thread);
		break;
	default:
		ready_add_behind_inline(thread, head->prev, head);
		break;
	}
}

static void apply(int number)
{
	const struct operation one = of_number(number);

	switch (one.how) {
	case REMOVE:
		model_remove(one.thread, one.prio);
		ready_remove(&threads[one.thread]);
		break;
	case GO_BEHIND:
		model_remove(one.thread, one.prio);
		model_add(one.thread, one.prio, model.rows[one.prio].length);
		ready_go_behind(&threads[one.thread]);
		break;
	default:
		add(&one);
		break;
	}
	compare();
	forget();
}

static void show(int number, FILE *out)
{
	static const char *const names[] = {"add last",   "add first", "add preempted",
					    "add behind", "remove",    "go behind"};
	const struct operation one = of_number(number);

	fprintf(out, "%s %d, priority %d", names[one.how], one.thread, priorities[one.prio]);
}

int main(int argc, char **argv)
{
	static struct every every = {"ready queue", {{0}}, 0,   HOWS * THREADS * PRIORITIES,
				     may,           apply, show};

	every_part(&every, &k_cpu, sizeof(k_cpu));
	every_part(&every, &model, sizeof(model));
	for (int thread = 0; thread < THREADS; thread++) {
		struct k_thread *one = &threads[thread];

		every_part(&every, &one->next, sizeof(one->next));
		every_part(&every, &one->prev, sizeof(one->prev));
		every_part(&every, &one->prio, sizeof(one->prio));
		every_part(&every, &one->state, sizeof(one->state));
	}
	running.prio = 1;
	idle.prio = K_IDLE_PRIO;
	k_cpu.current = &running;
	k_cpu.best = &idle;
	(void)ready_add_last_inline(&idle);
	return every_sequence(&every, every_depth(argc, argv));
}
