/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traversals that let nobody run: sched.h. Apart from traversal.c, since start-up is one, and most
 * programs have no other.
 */
#include "kernel/sched/sched.h"

void sched_traversal_begin(unsigned int key)
{
	struct k_thread *current = k_cpu.current;

	if (arch_may_switch(key)) {
		k_cpu.walker = current;
		current->threshold = THRESHOLD_NEVER;
	}
}

void sched_traversal_alone_leave(struct k_thread *walker)
{
	k_cpu.walker = NULL;
	sched_set_threshold(walker);
	slice_goes_on(walker);
}

void sched_traversal_alone_end(unsigned int key)
{
	struct k_thread *current = k_cpu.current;

	sched_traversal_alone_leave(current);
	if (unlikely(!thread_is_ready(current))) {
		(void)sched_switch(current, k_cpu.best, key);
		return;
	}
	sched_reschedule(key);
}
