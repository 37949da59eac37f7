/* SPDX-License-Identifier: Apache-2.0 */
/* What is done to a semaphore by who may block or wake: operation.h. */

OPERATION(int, k_sem_take, (struct k_sem *sem, k_timeout_t timeout), (sem, TIMEOUT(timeout)),
	  IS_USABLE(sem, struct k_sem, K_OBJ_SEM))
{
	unsigned int count = sem->count;

	/* Model: steps.take */
	if (likely(count != 0)) {
		sem->count = count - 1;
		return done(0, key);
	}
	return WAIT(&sem->wait_q, timeout, -EAGAIN, IN_FULL(k_sem_take, sem, timeout));
}

OPERATION(void, k_sem_give, (struct k_sem *sem), (sem), IS_USABLE(sem, struct k_sem, K_OBJ_SEM))
{
	struct k_thread *waiter = sem->wait_q.head;

	if (unlikely(waiter != NULL)) {
		return WAKE(&sem->wait_q, waiter, 0, IN_FULL(k_sem_give, sem));
	}
	if (IS_FAST && unlikely(poll_is_awaited(sem))) {
		return IN_FULL(k_sem_give, sem);
	}
	/* Model: steps.give, steps.give_full */
	if (likely(sem->count != sem->limit)) {
		sem->count++;
	}
	return DONE_OFFERING(sem, K_POLL_STATE_SEM_AVAILABLE);
}
