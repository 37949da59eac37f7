/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ready queue: a circular list for each priority and a bitmap of the lists that
 * are not empty: a word, or two for more than 32 lists. Constant time throughout.
 *
 * k_cpu.best caches what the bitmap would find. It changes only when the most
 * urgent level does, so that a core without an instruction for it (RV32IM)
 * searches when a level runs empty and at no other time.
 */
#include "kernel/sched/ready.h"

void ready_add_last(struct k_thread *thread)
{
	ready_add_last_inline(thread);
}

void ready_add_first(struct k_thread *thread)
{
	if (IS_ENABLED(CONFIG_SIZE_OPTIMIZATIONS) && !IS_ENABLED(CONFIG_SCHED_DEADLINE)) {
		ready_add_last(thread);
		ready_make_first(thread);
	} else {
		ready_add_first_inline(thread);
	}
}

void ready_remove(struct k_thread *thread)
{
	ready_remove_inline(thread);
}
