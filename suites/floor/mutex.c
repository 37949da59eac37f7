/* SPDX-License-Identifier: Apache-2.0 */
/* A mutex that the caller holds, locked once more and unlocked again. */
#include "floor.h"

static struct floor_mutex mutex;

MEASURE_WINDOW(lock, result = floor_mutex_lock(&mutex))
MEASURE_WINDOW(unlock, result = floor_mutex_unlock(&mutex))

static void lock_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "locked_twice", result == 0 && mutex.levels == 2);
}

static void unlock_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "still_locked", result == 0 && mutex.levels == 1);
}

void floor_measure_mutex(void)
{
	floor_current = k_current_get();
	mutex.owner = floor_current;
	mutex.levels = 1;
	measure_turns(&(struct measure_operation){"mutex.lock.immediate.recursive.kernel",
						  "Lock a mutex", lock, NULL, lock_after},
		      &(struct measure_operation){"mutex.unlock.immediate.recursive.kernel",
						  "Unlock a mutex", unlock, NULL, unlock_after});
}
