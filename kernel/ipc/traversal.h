/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A message with bytes is a traversal of its sender's or receiver's, which is preempted between two
 * steps: what it stands on is in its thread's hands, where nobody else finds it. How it begins and
 * ends.
 */
#ifndef FOLIOT_KERNEL_IPC_TRAVERSAL_H
#define FOLIOT_KERNEL_IPC_TRAVERSAL_H

#include "kernel/base/kernel.h"
#include "kernel/objects/mutex.h"
#include "kernel/sched/sched.h"

/*
 * As urgent as who waits in `wait_q`. `finishes`: an end of the traversing thread's waits until it
 * has put back what it holds. Each of both is a step: who waits is looked up behind this.
 */
static inline void ipc_begin_traversal(const _wait_q_t *wait_q, bool finishes, unsigned int key)
{
	sched_traversal_window(key);
	if (finishes) {
		sched_traversal_finishes(true, key);
		sched_traversal_window(key);
	}
	sched_traversal_ceiling(wait_q, key);
	sched_traversal_window(key);
}

/*
 * Who waits for the traversing thread goes on, which falls when its traversal ends, and not before.
 * Not in a traversal: at once.
 */
static inline void ipc_wake(struct k_thread *thread, int value, unsigned int key)
{
	_wait_q_t *lent = sched_is_traversing(key) ? sched_lends_no_longer(thread) : NULL;

	sched_wake(thread, value);
	if (lent != NULL) {
		mutex_left(CONTAINER_OF(lent, struct k_mutex, wait_q));
	}
}

/* Who has nothing left to wait for. Restores key. */
static inline int ipc_end_traversal(int result, unsigned int key)
{
	sched_traversal_end(key);
	return result;
}

/* It was aborted meanwhile: it goes no further, and ends with its traversal. */
static inline bool ipc_was_ended(void)
{
	return (*(volatile uint8_t *)&k_cpu.current->wait_flags &
		(TRAVERSAL_FLAG_CEILING | TRAVERSAL_FLAG_ENDS)) ==
	       (TRAVERSAL_FLAG_CEILING | TRAVERSAL_FLAG_ENDS);
}

#endif /* FOLIOT_KERNEL_IPC_TRAVERSAL_H */
