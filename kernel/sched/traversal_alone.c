/* SPDX-License-Identifier: Apache-2.0 */
/* Traversals that let nobody run: sched.h. */
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
