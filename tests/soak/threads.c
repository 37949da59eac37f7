/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that begin and end, by themselves or aborted wherever they are, with a mutex that they
 * hold, and so with a generation of their own: those wrap (CONFIG_FIRST_GENERATION). Others are
 * suspended, resumed and moved meanwhile.
 */
#include "soak.h"

K_MUTEX_DEFINE(held);
K_SEM_DEFINE(never, 0, 1);
static struct k_thread child;
K_THREAD_STACK_DEFINE(child_stack, STACK_SIZE);
static volatile bool child_holds;
static uint32_t spinner_turns;
static struct k_thread spinner;
K_THREAD_STACK_DEFINE(spinner_stack, STACK_SIZE);

static void child_lives(void *p1, void *p2, void *p3)
{
	uint32_t kind = (uint32_t)(uintptr_t)p1;

	int result = k_mutex_lock(&held, K_TICKS(3));

	if (result == 0 || result == -EOWNERDEAD) {
		child_holds = true;
		if (kind % 3U != 0) {
			(void)k_sem_take(&never, kind % 3U == 1U ? K_FOREVER : K_TICKS(1));
		}
		child_holds = false;
		(void)k_mutex_unlock(&held);
	}
}

static void spins(void *p1, void *p2, void *p3)
{
	while (!soak_ends) {
		spinner_turns++;
		(void)k_sleep(K_TICKS(1));
	}
}

/* The spinner stands still as long as it is suspended. */
static void disturb(uint32_t *state)
{
	uint32_t turns;

	k_thread_suspend(&spinner);
	turns = spinner_turns;
	(void)k_sleep(K_TICKS(2));
	HOLDS(turns == spinner_turns);
	k_thread_resume(&spinner);
	k_thread_priority_set(&spinner, 3 + (int)(random_next(state) % 6U));
}

static void parent(void *p1, void *p2, void *p3)
{
	uint32_t state = 60;
	int result;

	while (!soak_ends) {
		uint32_t kind = random_next(&state);

		(void)k_thread_create(&child, child_stack, K_THREAD_STACK_SIZEOF(child_stack),
				      child_lives, (void *)(uintptr_t)kind, NULL, NULL,
				      3 + (int)(kind % 5U), 0, K_NO_WAIT);
		random_pause(&state);
		k_sched_lock();
		HOLDS(!child_holds || k_mutex_lock(&held, K_NO_WAIT) == -EBUSY);
		k_sched_unlock();
		if (kind % 3U == 1U || random_next(&state) % 4U == 0) {
			k_thread_abort(&child);
		}
		HOLDS(k_thread_join(&child, K_TICKS(100)) == 0);
		child_holds = false;
		result = k_mutex_lock(&held, K_TICKS(1));
		HOLDS(result == 0 || result == -EOWNERDEAD);
		HOLDS(k_mutex_unlock(&held) == 0);
		load_threads.done++;
		if (kind % 16U == 0) {
			disturb(&state);
		}
	}
	HOLDS(k_thread_join(&spinner, K_TICKS(100)) == 0);
}

static void threads_begin(void)
{
	(void)k_thread_create(&spinner, spinner_stack, K_THREAD_STACK_SIZEOF(spinner_stack), spins,
			      NULL, NULL, NULL, 6, 0, K_NO_WAIT);
	soak_start(parent, NULL, 3);
}

static void threads_end(void)
{
	HOLDS(held.owner == NULL && spinner_turns != 0);
}

struct load load_threads = {"threads", threads_begin, NULL, threads_end, 0};
