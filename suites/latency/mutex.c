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

static k_tid_t holder;

static bool is_held(uint32_t levels)
{
	return mutex.owner == holder && mutex.lock_count == levels;
}

static void lock_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "locked_twice", result == 0 && is_held(2));
}

static void unlock_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "still_locked", result == 0 && is_held(1));
}

static void grant(k_tid_t thread)
{
	k_thread_access_grant(thread, &mutex);
	holder = thread;
}

static void measure_users(void)
{
	struct measure_window window;

	measure_user_open(grant);
	(void)measure_user_call(lock, &window);
	measure_user_turns(&(struct measure_operation){"mutex.lock.immediate.recursive.user",
						       "Lock a mutex", lock, NULL, lock_after},
			   &(struct measure_operation){"mutex.unlock.immediate.recursive.user",
						       "Unlock a mutex", unlock, NULL,
						       unlock_after});
	(void)measure_user_call(unlock, &window);
	measure_user_close();
}

void latency_mutex(void)
{
	(void)k_mutex_lock(&mutex, K_FOREVER);
	holder = k_current_get();
	measure_turns(&(struct measure_operation){"mutex.lock.immediate.recursive.kernel",
						  "Lock a mutex", lock, NULL, lock_after},
		      &(struct measure_operation){"mutex.unlock.immediate.recursive.kernel",
						  "Unlock a mutex", unlock, NULL, unlock_after});
	(void)k_mutex_unlock(&mutex);
	measure_users();
}
