/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Futexes. Whoever waits is in one of a few wait queues, by the futex's address, which is at
 * k_thread.wake_data. Rejected: a wait queue beside each futex, found by its address in a table, as
 * in Zephyr: it has to be made known before, and to be searched for.
 */
#include "kernel/objects/futex.h"
#include "kernel/sched/sched.h"

#define NUM_QUEUES 8U

static _wait_q_t queues[NUM_QUEUES];
uint32_t futex_wakes;

static _wait_q_t *queue_of(const struct k_futex *futex)
{
	return &queues[(uintptr_t)futex / sizeof(futex->val) % NUM_QUEUES];
}

int futex_wait(const struct k_futex *futex, k_timeout_t timeout, unsigned int key)
{
	if (timeout.ticks == 0) {
		arch_irq_unlock(key);
		return -ETIMEDOUT;
	}
	if (!arch_in_isr()) {
		k_cpu.current->wake_data = (uintptr_t)futex;
	}
	return (int)sched_pend_slow(queue_of(futex), timeout, key, -ETIMEDOUT);
}

int k_futex_wait(struct k_futex *futex, int expected, k_timeout_t timeout)
{
	const volatile atomic_t *value;
	unsigned int key;
	bool is_expected;

	if (!futex_is_aligned(futex)) {
		return -EINVAL;
	}
	value = (const volatile atomic_t *)&futex->val;
	key = arch_irq_lock();
	is_expected = *value == (atomic_t)expected;
	if (is_expected && sched_arm_first(timeout, -ETIMEDOUT, key)) {
		is_expected = *value == (atomic_t)expected;
	}
	if (!is_expected) {
		sched_disarm();
		arch_irq_unlock(key);
		return -EAGAIN;
	}
	return futex_wait(futex, timeout, key);
}

int k_futex_wake(struct k_futex *futex, bool wake_all)
{
	_wait_q_t *queue = queue_of(futex);
	struct k_thread *waiter;
	unsigned int key;
	unsigned int passed = 0;
	int woken = 0;

	if (!futex_is_aligned(futex)) {
		return -EINVAL;
	}
	key = arch_irq_lock();
	futex_wakes++;
	if (queue->head == NULL) {
		arch_irq_unlock(key);
		return 0;
	}
	sched_traversal_waking(queue, key);
	waiter = queue->head;
	/* Bound: W * (D + 1), who wait at futexes of this queue; interrupts are let in. */
	while (waiter != NULL && (wake_all || woken == 0)) {
		struct k_thread *next = wait_q_next(queue, waiter);

		if (waiter->wake_data != (uintptr_t)futex || sched_traversal_is_new(waiter, key)) {
			waiter = sched_traversal_past(queue, waiter, &passed, key);
			continue;
		}
		sched_wake(waiter, 0);
		woken++;
		waiter = sched_traversal_on(queue, next, key);
	}
	sched_traversal_end(key);
	return woken;
}
