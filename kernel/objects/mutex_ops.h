/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is done to a mutex by who may block or wake: operation.h. Its owner locks it once more, and
 * unlocks it less, without masking: only the owner changes the two fields once they are its own.
 */

static APART lock_not_held(struct k_mutex *mutex, k_timeout_t timeout);

OPERATION_UNMASKED_LOOKED_AT(int, k_mutex_lock, (struct k_mutex * mutex, k_timeout_t timeout),
			     (mutex, timeout), IS_USABLE(mutex, struct k_mutex, K_OBJ_MUTEX))
{
	K_ASSERT(IS_FAST || !arch_in_isr(), "mutex-in-isr");
	/* Model: mutex.lock_again */
	if (likely(mutex_is_held_by(mutex, k_cpu.current))) {
		uint32_t count = mutex->lock_count + 1U;

		if (IS_FAST && unlikely(count == 0)) {
			return IN_FULL(k_mutex_lock, mutex, timeout);
		}
		mutex->lock_count = count;
		return done_unmasked(0);
	}
	return lock_not_held(mutex, timeout);
}

/* Apart, so that locking once more needs no register that would have to be saved. */
static APART lock_not_held(struct k_mutex *mutex, k_timeout_t timeout)
{
	unsigned int key = MASK();
	struct k_thread *current = k_cpu.current;

	/* Model: mutex.lock_free */
	if (likely(mutex->generation == GENERATION_NOBODY &&
		   current->generation != GENERATION_NONE)) {
		mutex_own(mutex, current);
		return done(0, key);
	}
	return LOCK_CONTENDED(mutex, timeout);
}

OPERATION_UNMASKED(int, k_mutex_unlock, (struct k_mutex *mutex), (mutex),
		   IS_USABLE(mutex, struct k_mutex, K_OBJ_MUTEX))
{
	uint32_t left;

	K_ASSERT(IS_FAST || !arch_in_isr(), "mutex-in-isr");
	if (unlikely(!mutex_is_held_by(mutex, k_cpu.current))) {
		K_ASSERT(IS_FAST || user_is_running(), "unlock-of-a-mutex-not-owned");
		return done_unmasked(mutex->generation == GENERATION_NOBODY ? -EINVAL : -EPERM);
	}
	left = mutex->lock_count - 1;
	if (unlikely(left == 0)) {
		key = MASK();
		if (unlikely(mutex->wait_q.head != NULL)) {
			return UNLOCK_CONTENDED(mutex);
		}
		/* Model: mutex.unlock_free */
		mutex_disown(mutex);
		return done(0, key);
	}
	/* Model: mutex.unlock_once */
	mutex->lock_count = left;
	__asm__ volatile("" ::: "memory"); /* store first, and the result needs no copy of r0 */
	return done_unmasked(0);
}
