/* SPDX-License-Identifier: Apache-2.0 */
/* What is no matter of who waits: yielding, priorities, inheritance, sleeping. */
#include "worst.h"

#define OWNERS 4

static struct k_thread thread;
static K_THREAD_STACK_DEFINE(stack, 1024);
static struct k_thread owners[OWNERS];
static K_THREAD_STACK_ARRAY_DEFINE(owner_stacks, OWNERS, 1024);
static struct k_mutex mutexes[OWNERS + 1];
static struct measure_row row;
static K_SEM_DEFINE(sem, 0, 1);

static void create(struct k_thread *of, k_thread_stack_t *with, k_thread_entry_t entry, int number,
		   int prio)
{
	(void)k_thread_create(of, with, 1024, entry, (void *)(intptr_t)number, NULL, NULL, prio, 0,
			      K_NO_WAIT);
}

static void taker(void *unused_1, void *unused_2, void *unused_3)
{
	(void)k_sem_take(&sem, K_FOREVER);
	k_sleep(K_TICKS(1));
}

/* A cooperative thread, alone at its priority, while another more urgent one is ready. */
static void yield_worst(void)
{
	k_thread_priority_set(k_current_get(), 5);
	create(&thread, stack, taker, 0, -3);
	k_thread_priority_set(k_current_get(), -2);
	k_sem_give(&sem);
	k_yield();
	(void)k_thread_join(&thread, K_FOREVER);
}

static void sleeper(void *unused_1, void *unused_2, void *unused_3)
{
	k_sleep(K_TICKS(3));
	k_msleep(1);
	k_usleep(1);
}

static void sleep_worst(void)
{
	k_thread_priority_set(k_current_get(), 5);
	create(&thread, stack, sleeper, 0, -3);
	k_sleep(K_TICKS(2));
	k_wakeup(&thread);
	(void)k_thread_join(&thread, K_FOREVER);
}

/* Each owns one mutex and waits for the next: who waits for the last raises all of them. */
static void owner_entry(void *number, void *unused_2, void *unused_3)
{
	const int own = (int)(intptr_t)number;

	(void)k_mutex_lock(&mutexes[own], K_FOREVER);
	(void)k_mutex_lock(&mutexes[own + 1], K_FOREVER);
	(void)k_mutex_unlock(&mutexes[own + 1]);
	(void)k_mutex_unlock(&mutexes[own]);
}

MEASURE_WINDOW(lock_first, result = k_mutex_lock(&mutexes[0], K_TICKS(2)))

static void chain_worst(void)
{
	struct measure_window window;

	k_thread_priority_set(k_current_get(), 14);
	/* Bound: OWNERS. */
	for (int i = 0; i <= OWNERS; i++) {
		(void)k_mutex_init(&mutexes[i]);
	}
	(void)k_mutex_lock(&mutexes[OWNERS], K_FOREVER);
	/* Bound: OWNERS. */
	for (int i = OWNERS - 1; i >= 0; i--) {
		create(&owners[i], owner_stacks[i], owner_entry, i, 13 - i);
	}
	k_thread_priority_set(k_current_get(), 10);
	(void)k_mutex_unlock(&mutexes[OWNERS]);
	(void)lock_first(&window);
	(void)k_mutex_unlock(&mutexes[0]);
	k_thread_priority_set(k_current_get(), LAST);
	/* Bound: OWNERS. */
	for (int i = 0; i < OWNERS; i++) {
		(void)k_thread_join(&owners[i], K_FOREVER);
	}
}

MEASURE_WINDOW(yield_alone, k_yield())

void worst_others(void)
{
	struct measure_window window;

	yield_worst();
	sleep_worst();
	chain_worst();
	k_thread_priority_set(k_current_get(), -2);
	measure_row_begin(&row, "thread.yield.worst", "Yield, alone, cooperative");
	(void)yield_alone(&window);
	measure_witness(&row, "went_on", k_is_preempt_thread() == 0);
	measure_add(&row, window.start, window.end);
	measure_row_end(&row);
}
