/* SPDX-License-Identifier: Apache-2.0 */
/* The storm itself: its threads, the interrupts, and the checks of the scheduler. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <board.h>
#include <host.h>
#include "engine.h"
#include "kernel/base/kernel.h"
#include "model.h"
#include "kernel/sched/sched.h"
#include "storm.h"

#define STACK_SIZE      8192
#define STORM_IRQ       5
#define CYCLES_PER_TICK (BOARD_TIMER_HZ / CONFIG_SYS_CLOCK_TICKS_PER_SEC)
#define JOBS_MAX        20

static const struct storm_job *const all_jobs[] = {
	&storm_sem,     &storm_mutex, &storm_queue, &storm_msgq,  &storm_stack,
	&storm_event,   &storm_heap,  &storm_slab,  &storm_timer, &storm_thread,
	&storm_pipe,    &storm_work,  &storm_mbox,  &storm_futex, &storm_ipc,
#ifdef CONFIG_POLL
	&storm_poll,
#endif
	&storm_restart, /* the last: at its end it asks for all rooms of messages */
};
static const struct storm_job *jobs[JOBS_MAX];
static unsigned int num_jobs;

struct k_thread storm_threads[STORM_THREADS];
K_THREAD_STACK_ARRAY_DEFINE(storm_stacks, STORM_THREADS, STACK_SIZE);
static int steps_left[STORM_THREADS];
static unsigned long interrupts;

/* The first check that does not hold ends the storm: what follows it proves nothing. */
static __attribute__((noreturn)) void stop(const char *what, const char *file, int line)
{
	host_cpu.before_lock = NULL;
	(void)irq_lock();
	printf("does not hold: %s at %s:%d, tick %ld\n", what, file, line, (long)k_uptime_ticks());
	fflush(stdout);
	abort();
}

k_timeout_t storm_timeout(void)
{
	return one_in(4) ? K_NO_WAIT : K_TICKS(random_below(one_in(10) ? 200 : 4));
}

/* Neighbours in a queue. */
static bool are_in_order(const struct k_thread *thread, const struct k_thread *next)
{
	return thread->prio < next->prio ||
	       (thread->prio == next->prio && !deadline_is_earlier(next, thread));
}

/* Whoever is the first of its priority, of several waiters, and the last know one another. */
static void check_group(const _wait_q_t *wait_q, const struct k_thread *first)
{
	const struct k_thread *last = first;

	if (first->next == first || !wait_q_is_first_of_group(wait_q, first)) {
		return;
	}
	while (!wait_q_is_last_of_group(wait_q, last)) {
		last = last->next;
	}
	CHECK(first->peer == last && last->peer == first);
}

int storm_check_waiters(const _wait_q_t *wait_q)
{
	const struct k_thread *thread = wait_q->head;
	int count = 0;

	if (thread == NULL) {
		return 0;
	}
	do {
		CHECK((thread->state & K_THREAD_PENDING) != 0);
		CHECK((thread->state & (K_THREAD_QUEUED | K_THREAD_DEAD)) == 0);
		CHECK(thread->pended_on == wait_q);
		CHECK(thread->next->prev == thread);
		CHECK(thread->next == wait_q->head || are_in_order(thread, thread->next));
		check_group(wait_q, thread);
		CHECK(++count <= STORM_THREADS + STORM_HOLDERS + 1);
		thread = thread->next;
	} while (thread != wait_q->head);
	return count;
}

bool storm_traversals(const struct k_thread *thread)
{
	return (thread->wait_flags & TRAVERSAL_FLAG_CEILING) != 0 &&
	       (thread->state & (K_THREAD_PENDING | K_THREAD_DEAD)) == 0;
}

static void check_ready_queue(void)
{
	for (unsigned int level = 0; level < NUM_LEVELS; level++) {
		const struct k_thread *thread = k_cpu.level[level];

		if (((uint64_t)k_cpu.levels >> level & 1U) == 0) {
			continue;
		}
		do {
			CHECK((thread->state & K_THREAD_QUEUED) != 0);
			CHECK(thread == k_cpu.current || thread_is_ready(thread));
			CHECK(PRIO_LEVEL(thread->prio) == level);
			CHECK(thread->next->prev == thread);
			/* Who wakes others in steps goes before whom it has woken. */
			CHECK(thread->next == k_cpu.level[level] || storm_traversals(thread) ||
			      storm_traversals(thread->next) || are_in_order(thread, thread->next));
			thread = thread->next;
		} while (thread != k_cpu.level[level]);
	}
}

/* A traversal of somebody's that has been preempted or suspended between two steps (kernel/sched/traversal.c). */
static bool anybody_traverses(void)
{
	for (int i = 0; i < STORM_THREADS; i++) {
		if (storm_traversals(&storm_threads[i])) {
			return true;
		}
	}
	return k_cpu.walker != NULL;
}

static void check_all(void)
{
	unsigned int key = irq_lock();

	check_ready_queue();
	/* A traversal over many that has interrupts open is no rest: its object is half done. */
	for (unsigned int i = 0; i < num_jobs && !anybody_traverses(); i++) {
		jobs[i]->at_rest();
	}
	irq_unlock(key);
}

/* ---- interrupts ---- */

#ifdef CONFIG_SCHED_DEADLINE
/* Anybody's changes, whatever it is in the middle of. */
static void change_deadline(void)
{
	k_thread_absolute_deadline_set(&storm_threads[random_below(STORM_THREADS)],
				       (int)random_below(6) - 3);
}
#else
static void change_deadline(void)
{
}
#endif

static void storm_isr(const void *arg)
{
	interrupts++;
	change_deadline();
	jobs[random_below(num_jobs)]->in_isr();
}

/*
 * Called wherever interrupts are open and about to be masked. Time passes at some of
 * these places; what is due then is due in the middle of somebody's operation.
 */
static void maybe_interrupt(void)
{
	static bool inside;

	if (inside || !one_in(3)) {
		return;
	}
	inside = true;
	if (one_in(8)) {
		check_all();
	}
	inside = false;
	if (one_in(16)) {
		host_advance(random_below(2 * CYCLES_PER_TICK));
	}
	host_irq_raise(one_in(8) ? BOARD_TIMER_IRQ : STORM_IRQ);
}

/* ---- threads ---- */

static void storm_thread_main(void *p1, void *p2, void *p3)
{
	int self = (int)(intptr_t)p1;

	while (steps_left[self]-- > 0) {
		jobs[random_below(num_jobs)]->in_thread(self);
	}
}

static bool choose_jobs(const char *object)
{
	for (size_t i = 0; i < ARRAY_SIZE(all_jobs); i++) {
		if (strcmp(object, "all") == 0 || strcmp(object, all_jobs[i]->name) == 0) {
			jobs[num_jobs++] = all_jobs[i];
		}
	}
	return num_jobs != 0;
}

#ifdef CONFIG_TIMESLICE_PER_THREAD
static unsigned long turns;

static void count_turn(struct k_thread *thread, void *data)
{
	turns++;
}

/* As short as they can be, so that they end anywhere. */
static void take_turns(int i)
{
	k_thread_time_slice_set(&storm_threads[i], 1 + i % 3, count_turn, NULL);
}

static void check_turns(void)
{
	CHECK(turns != 0);
}
#else
static void take_turns(int i)
{
}

static void check_turns(void)
{
}
#endif

/* All of them exist before the first runs: they disturb each other. */
static void start_threads(int steps)
{
	for (int i = 0; i < STORM_THREADS; i++) {
		steps_left[i] = steps;
		(void)k_thread_create(&storm_threads[i], storm_stacks[i], STACK_SIZE,
				      storm_thread_main, (void *)(intptr_t)i, NULL, NULL,
				      random_prio(), 0, K_FOREVER);
		take_turns(i);
	}
	host_cpu.before_lock = maybe_interrupt;
	for (int i = 0; i < STORM_THREADS; i++) {
		k_thread_start(&storm_threads[i]);
	}
}

/*
 * A thread that the storm left suspended, or asleep for ever, is helped on from here:
 * its own loop is bounded, so all of them end.
 */
static void wait_for_threads(void)
{
	for (int i = 0; i < STORM_THREADS; i++) {
		int rounds = 0;

		while (k_thread_join(&storm_threads[i], K_TICKS(50)) != 0) {
			k_thread_resume(&storm_threads[i]);
			CHECK(++rounds < 100000);
		}
	}
}

int storm_test(const char *object, uint64_t seed, int steps)
{
	if (!choose_jobs(object)) {
		printf("no such object: %s\n", object);
		return 2;
	}
	check_handler = stop;
	random_seed(seed);
	host_read_cost_cycles = 0;
	host_limit_cycles = UINT64_MAX;
	k_thread_priority_set(k_current_get(), K_LOWEST_APPLICATION_THREAD_PRIO);
	for (unsigned int i = 0; i < num_jobs; i++) {
		jobs[i]->init();
	}
	(void)irq_connect_dynamic(STORM_IRQ, 0, storm_isr, NULL, 0);
	irq_enable(STORM_IRQ);
	start_threads(steps);
	wait_for_threads();
	host_cpu.before_lock = NULL;
	check_all();
	check_turns();
	for (unsigned int i = 0; i < num_jobs; i++) {
		jobs[i]->end();
	}
	printf("PASS storm %s, seed %llu, %d steps, %lu interrupts\n", object,
	       (unsigned long long)seed, steps, interrupts);
	return 0;
}
