/* SPDX-License-Identifier: Apache-2.0 */
/* Semaphores: empty, full, and with those who wait. */
#include "states.h"

static K_SEM_DEFINE(sem, 0, 1);

MEASURE_WINDOW(give, k_sem_give(&sem))
MEASURE_WINDOW(take_now, result = k_sem_take(&sem, K_NO_WAIT))
MEASURE_WINDOW(take, result = k_sem_take(&sem, K_FOREVER))
MEASURE_WINDOW(take_timed, result = k_sem_take(&sem, K_SECONDS(100)))

static void empty(void)
{
	k_sem_reset(&sem);
}

static void fill(void)
{
	k_sem_give(&sem);
}

static void given(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "given", k_sem_count_get(&sem) == 1);
}

static void taken(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "taken", result == 0 && k_sem_count_get(&sem) == 0);
}

static void refused(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "refused", result == -EBUSY);
}

static void handed_over(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "handed_over", k_sem_count_get(&sem) == 0);
}

static void take_once(void)
{
	(void)k_sem_take(&sem, K_FOREVER);
}

void states_sem(void)
{
	states_single(&(struct measure_operation){"semaphore.give.immediate.kernel",
						  "Give a semaphore (no waiters)", give, empty,
						  given},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"semaphore.give.full.kernel",
						  "Give a semaphore at its limit", give, fill,
						  given},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"semaphore.take.immediate.kernel",
						  "Take a semaphore (no blocking)", take_now, fill,
						  taken},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"semaphore.take.refused.kernel",
						  "Take an empty semaphore, not waiting", take_now,
						  empty, refused},
		      CALLERS_ALL);
	empty();
	states_pairs(&(struct states_pair){
		.pair = {.wait = {"semaphore.take.blocking.k_to_k",
				  "Take a semaphore (context switch)", take, NULL, taken},
			 .wake = {"semaphore.give.wake+ctx.k_to_k",
				  "Give a semaphore (context switch)", give, NULL, handed_over},
			 .wait_q = &sem.wait_q},
		.wait_timed = take_timed,
		.wait_once = take_once,
		.no_switch_id = "semaphore.give.wake.kernel",
	});
}
