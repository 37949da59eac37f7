/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutexes, as Zephyr's rows have them: the caller holds the mutex already, locks it once
 * more, without a wait, and undoes that. Windows: one call. Zephyr's loop goes a thousand
 * levels down and up again, its first lock and last unlock, of a free mutex, among them.
 */
#include "latency.h"

static K_MUTEX_DEFINE(mutex);

MEASURE_WINDOW(lock, result = k_mutex_lock(&mutex, K_NO_WAIT))
MEASURE_WINDOW(unlock, result = k_mutex_unlock(&mutex))

static bool is_held(uint32_t levels)
{
	return mutex.owner == k_current_get() && mutex.lock_count == levels;
}

static void lock_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "locked_twice", result == 0 && is_held(2));
}

static void unlock_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "still_locked", result == 0 && is_held(1));
}

void latency_mutex(void)
{
	(void)k_mutex_lock(&mutex, K_FOREVER);
	measure_turns(&(struct measure_operation){"mutex.lock.immediate.recursive.kernel",
						  "Lock a mutex", lock, NULL, lock_after},
		      &(struct measure_operation){"mutex.unlock.immediate.recursive.kernel",
						  "Unlock a mutex", unlock, NULL, unlock_after});
	(void)k_mutex_unlock(&mutex);
}
