/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Semaphores: what wakes all who wait. Apart, so that a program that does not call it has no
 * traversal.
 */
#include "kernel/sched/sched.h"
#include "kernel/hooks/poll.h"
#include "kernel/objects/sem.h"

int sem_init_again(struct k_sem *sem, unsigned int initial, unsigned int limit, unsigned int key)
{
	if (limit == 0 || initial > limit) {
		irq_unlock(key);
		return -EINVAL;
	}
	sem->count = initial;
	sem->limit = limit;
	(void)sched_wake_all(&sem->wait_q, -EAGAIN, key);
	if (sem->count != 0) { /* behind the windows, so that this is a step of its own */
		poll_available(sem, K_POLL_STATE_SEM_AVAILABLE);
	}
	sched_traversal_end(key);
	return 0;
}

void k_sem_reset(struct k_sem *sem)
{
	unsigned int key = arch_irq_lock();

	sem->count = 0;
	(void)sched_wake_all(&sem->wait_q, -EAGAIN, key);
	sched_traversal_end(key);
}
