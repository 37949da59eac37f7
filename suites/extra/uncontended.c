/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations that find nobody else there. Windows: one call. The recursive rows of the
 * latency suite hold the mutex already; here it is free before and after.
 */
#include "extra.h"

static K_MUTEX_DEFINE(mutex);
static K_SEM_DEFINE(sem, 0, 1);

MEASURE_WINDOW(lock, result = k_mutex_lock(&mutex, K_FOREVER))
MEASURE_WINDOW(unlock, result = k_mutex_unlock(&mutex))
MEASURE_WINDOW(take, result = k_sem_take(&sem, K_NO_WAIT))

static void lock_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "locked",
			result == 0 && mutex.owner == k_current_get() && mutex.lock_count == 1);
}

static void unlock_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "unlocked", result == 0 && mutex.owner == NULL);
}

static void take_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "refused", result == -EBUSY);
}

void extra_uncontended(void)
{
	measure_turns(&(struct measure_operation){"mutex.lock.immediate.first.kernel",
						  "Lock a free mutex", lock, NULL, lock_after},
		      &(struct measure_operation){"mutex.unlock.immediate.last.kernel",
						  "Unlock a mutex for good", unlock, NULL,
						  unlock_after});
	measure_single(&(struct measure_operation){"semaphore.take.refused.kernel",
						   "Take an empty semaphore, not waiting", take,
						   NULL, take_after});
}
