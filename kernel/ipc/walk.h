/* SPDX-License-Identifier: Apache-2.0 */
/* A message with bytes is a walk of its sender's or receiver's (sched_walk_begin()): how that ends. */
#ifndef FOLIOT_KERNEL_IPC_WALK_H
#define FOLIOT_KERNEL_IPC_WALK_H

#include "kernel/core/kernel.h"
#include "kernel/sched/sched.h"

/* The end of a walk, whose thread may wait by now. Restores key; returns what its wait came to, if it did. */
static inline int ipc_end_walk(unsigned int key)
{
	struct k_thread *current = k_cpu.current;

	current->wake_value = 0;
	if (arch_may_switch(key)) {
		sched_walk_end(key);
	} else if (!thread_is_ready(current)) {
		(void)sched_switch(current, k_cpu.best, key);
	} else {
		sched_reschedule(key);
	}
	return (int)current->wake_value;
}

static inline bool ipc_was_ended(void)
{
	return (k_cpu.current->state & K_THREAD_DEAD) !=
	       0; /* by an interrupt: it goes no further */
}

#endif /* FOLIOT_KERNEL_IPC_WALK_H */
