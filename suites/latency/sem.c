/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Semaphores. Windows: one call, or, in the pair, one call until the other thread's own
 * call has returned (see measure_pair()). As in Zephyr's benchmark the semaphore is
 * given again and again, then taken as often, without a wait.
 */
#include "latency.h"

static K_SEM_DEFINE(sem, 0, CONFIG_MEASURE_SAMPLES);
static unsigned int count; /* what it should be */

MEASURE_WINDOW(give, k_sem_give(&sem))
MEASURE_WINDOW(take_now, result = k_sem_take(&sem, K_NO_WAIT))
MEASURE_WINDOW(take, result = k_sem_take(&sem, K_FOREVER))

static void give_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "given", k_sem_count_get(&sem) == ++count);
}

static void take_now_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "taken", result == 0 && k_sem_count_get(&sem) == --count);
}

static void take_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "taken", result == 0 && k_sem_count_get(&sem) == 0);
}

static void give_to_waiter_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "handed_over", k_sem_count_get(&sem) == 0);
}

static void grant(k_tid_t thread)
{
	k_thread_access_grant(thread, &sem);
}

static void measure_users(void)
{
	measure_user_open(grant);
	measure_user_single(&(struct measure_operation){"semaphore.give.immediate.user",
							"Give a semaphore (no waiters)", give, NULL,
							give_after});
	measure_user_single(&(struct measure_operation){"semaphore.take.immediate.user",
							"Take a semaphore (no blocking)", take_now,
							NULL, take_now_after});
	measure_user_close();
}

void latency_sem(void)
{
	measure_single(&(struct measure_operation){"semaphore.give.immediate.kernel",
						   "Give a semaphore (no waiters)", give, NULL,
						   give_after});
	measure_single(&(struct measure_operation){"semaphore.take.immediate.kernel",
						   "Take a semaphore (no blocking)", take_now, NULL,
						   take_now_after});
	measure_users();
	latency_pair(&(struct measure_pair){
		.wait = {"semaphore.take.blocking", "Take a semaphore (context switch)", take, NULL,
			 take_after},
		.wake = {"semaphore.give.wake+ctx", "Give a semaphore (context switch)", give, NULL,
			 give_to_waiter_after},
		.wait_q = &sem.wait_q,
		.grant = grant,
	});
}
