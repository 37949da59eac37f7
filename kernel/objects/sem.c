/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Semaphores. A token given while somebody waits goes to that waiter and never into
 * the count, so a thread that comes along in between cannot take it.
 */
#include "kernel/sched/sched.h"
#include "kernel/hooks/object.h"
#include "kernel/hooks/poll.h"

int k_sem_init(struct k_sem *sem, unsigned int initial, unsigned int limit)
{
	if (limit == 0 || initial > limit) {
		return -EINVAL;
	}
	object_init_begin(sem, sem);
	sem->wait_q.head = NULL;
	sem->count = initial;
	sem->limit = limit;
	poll_init(sem);
	object_init_end(sem, sem);
	return 0;
}

/* For ever; which stays in its register, so that none of the others moves about. */
static __attribute__((noipa)) int take_blocking(struct k_sem *sem, k_timeout_t forever,
						unsigned int key)
{
	if (forever.ticks != K_TICKS_FOREVER) {
		__builtin_unreachable();
	}
	return (int)sched_pend_inline(&sem->wait_q, forever, key, -EAGAIN);
}

int k_sem_take(struct k_sem *sem, k_timeout_t timeout)
{
	unsigned int key = arch_irq_lock();
	unsigned int count = sem->count;
	k_ticks_t beyond;

	if (likely(count != 0)) {
		sem->count = count - 1;
		arch_irq_unlock(key);
		return 0;
	}
	if (!FAST_PATHS) {
		return (int)sched_pend_slow(&sem->wait_q, timeout, key, -EAGAIN);
	}
	if (timeout.ticks == 0) {
		arch_irq_unlock(key);
		return -EBUSY;
	}
	beyond = timeout.ticks + 1U;
	OPAQUE(beyond); /* or what it says of the time-out is loaded again, as a constant */
	if (beyond != 0) {
		return (int)sched_pend_timed(&sem->wait_q, timeout, key, -EAGAIN);
	}
	return take_blocking(sem, timeout, key);
}

static __noinline void give_waking(struct k_sem *sem, struct k_thread *waiter, unsigned int key)
{
	(void)sched_wake_first_inline(&sem->wait_q, waiter, 0, key);
}

void k_sem_give(struct k_sem *sem)
{
	unsigned int key = arch_irq_lock();
	struct k_thread *waiter = sem->wait_q.head;

	if (likely(waiter == NULL)) {
		if (likely(sem->count != sem->limit)) {
			sem->count++;
		}
		poll_unlock(sem, K_POLL_STATE_SEM_AVAILABLE, key);
		return;
	}
	give_waking(sem, waiter, key);
}
