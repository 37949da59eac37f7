/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that are ready, and threads that wait. The others are less urgent than the caller,
 * so they stay where they are; where the CPU is to change hands, it goes to one more urgent.
 * Windows: one call.
 */
#include "growth.h"

#define STACK_SIZE (64 * sizeof(void *)) /* the least that every port takes */

static struct k_thread others[CONFIG_GROWTH_MAX];
static K_THREAD_STACK_ARRAY_DEFINE(stacks, CONFIG_GROWTH_MAX, STACK_SIZE);
static struct k_thread subject;
static K_THREAD_STACK_DEFINE(subject_stack, 1024);
static K_SEM_DEFINE(sem, 0, 1024);
static struct measure_row row;
static uint32_t runs;

static void ready_entry(void *unused_1, void *unused_2, void *unused_3)
{
	runs++;
}

static void waiting_entry(void *unused_1, void *unused_2, void *unused_3)
{
	(void)k_sem_take(&sem, K_FOREVER);
}

static void create(struct k_thread *thread, k_thread_stack_t *stack, size_t size,
		   k_thread_entry_t entry, int prio)
{
	(void)k_thread_create(thread, stack, size, entry, NULL, NULL, NULL, prio, 0, K_FOREVER);
}

static void begin_others(uint32_t n, k_thread_entry_t entry, int prio)
{
	for (uint32_t i = 0; i < n; i++) {
		create(&others[i], stacks[i], K_THREAD_STACK_SIZEOF(stacks[i]), entry, prio);
		k_thread_start(&others[i]);
	}
}

static void end_others(uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		k_thread_abort(&others[i]);
	}
}

/* ---- ready ---- */

MEASURE_WINDOW(start_subject, k_thread_start(&subject))
MEASURE_WINDOW(abort_subject, k_thread_abort(&subject))

/* One more becomes ready behind n of its own priority, and one of them is taken out again. */
static void measure_ready(const char *id, const char *text, measure_window_fn window, bool starts)
{
	measure_row_begin(&row, id, text);
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; i < SAMPLES; i++) {
		struct measure_window sample;

		create(&subject, subject_stack, K_THREAD_STACK_SIZEOF(subject_stack), ready_entry,
		       GROWTH_PRIO + 2);
		if (!starts) {
			k_thread_start(&subject);
		}
		(void)window(&sample);
		measure_add(&row, sample.start, sample.end);
		measure_witness(&row, starts ? "queued" : "dead",
				(subject.state & (starts ? K_THREAD_QUEUED : K_THREAD_DEAD)) != 0);
		measure_witness(&row, "nobody_ran", runs == 0);
		k_thread_abort(&subject);
	}
	measure_row_end(&row);
}

void growth_ready(uint32_t n)
{
	begin_others(n, ready_entry, GROWTH_PRIO + 2);
	measure_ready(growth_name("growth.ready.add", n),
		      "Start a thread behind so many ready ones", start_subject, true);
	measure_ready(growth_name("growth.ready.remove", n),
		      "Abort a thread behind so many ready ones", abort_subject, false);
	end_others(n);
}

/* ---- waiting ---- */

MEASURE_WINDOW(give, k_sem_give(&sem))
MEASURE_WINDOW(start_waiter, k_thread_start(&subject))

/*
 * From the start of a more urgent thread until it has joined the waiters and its caller goes
 * on: two switches are in the window, the same ones whatever the number of waiters.
 */
static void measure_join(const char *id, const char *text, int prio, int others_prio)
{
	measure_row_begin(&row, id, text);
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; i < SAMPLES; i++) {
		struct measure_window sample;

		create(&subject, subject_stack, K_THREAD_STACK_SIZEOF(subject_stack), waiting_entry,
		       prio);
		(void)start_waiter(&sample);
		measure_add(&row, sample.start, sample.end);
		measure_witness(&row, "waits",
				subject.pended_on == &sem.wait_q &&
					(subject.state & K_THREAD_PENDING) != 0);
		measure_witness(&row, "in_its_place",
				prio < others_prio ? sem.wait_q.head == &subject
						   : sem.wait_q.head->prev == &subject);
		k_thread_abort(&subject);
	}
	measure_row_end(&row);
}

/* The most urgent waiter is woken, and made ready without a switch. */
static void measure_wake(const char *id, const char *text, uint32_t n)
{
	measure_row_begin(&row, id, text);
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; i < SAMPLES; i++) {
		const struct k_thread *first = sem.wait_q.head;
		struct measure_window sample;

		k_sched_lock();
		(void)give(&sample);
		measure_add(&row, sample.start, sample.end);
		measure_witness(&row, "woken", (first->state & K_THREAD_QUEUED) != 0);
		measure_witness(&row, "others_wait", n == 1 || sem.wait_q.head != NULL);
		k_sched_unlock();
		/* It has ended; the same block waits again, behind the others. */
		for (uint32_t j = 0; j < n; j++) {
			if (first == &others[j]) {
				create(&others[j], stacks[j], K_THREAD_STACK_SIZEOF(stacks[j]),
				       waiting_entry, GROWTH_PRIO - 1);
				k_thread_start(&others[j]);
			}
		}
	}
	measure_row_end(&row);
}

void growth_waiters(uint32_t n)
{
	begin_others(n, waiting_entry, GROWTH_PRIO - 1);
	measure_join(growth_name("growth.waiters.join_last", n),
		     "Start one that waits behind so many", GROWTH_PRIO - 1, GROWTH_PRIO - 1);
	measure_join(growth_name("growth.waiters.join_first", n),
		     "Start one that waits before so many", GROWTH_PRIO - 2, GROWTH_PRIO - 1);
	measure_wake(growth_name("growth.waiters.wake", n), "Give to the first of so many", n);
	end_others(n);
	k_sem_reset(&sem);
}
