/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ready queue: a circular list for each priority and a bitmap of the lists that
 * are not empty. Constant time throughout.
 *
 * kernel.best caches what the bitmap would find. It changes only when the most
 * urgent level does, so that a core without a count-leading-zeros instruction (RV32IM)
 * searches when a level runs empty and at no other time.
 */
#include "sched.h"

static void link_behind_last(struct k_thread *head, struct k_thread *thread)
{
	struct k_thread *last = head->prev;

	thread->next = head;
	thread->prev = last;
	last->next = thread;
	head->prev = thread;
}

/* Add where the level may be empty; true if it was. */
static bool ready_link(struct k_thread *thread, unsigned int level)
{
	uint32_t bit = ready_level_bit(level);

	K_ASSERT((thread->state & (THREAD_NOT_READY | K_THREAD_QUEUED)) == 0, "ready-twice");
	trace_ready(thread);
	thread->state |= K_THREAD_QUEUED;
	if ((kernel.levels & bit) != 0) {
		link_behind_last(kernel.level[level], thread);
		return false;
	}
	kernel.levels |= bit;
	kernel.level[level] = thread;
	thread->next = thread;
	thread->prev = thread;
	return true;
}

void ready_add_last(struct k_thread *thread)
{
	if (ready_link(thread, PRIO_LEVEL(thread->prio)) && thread->prio < kernel.best->prio) {
		kernel.best = thread;
	}
}

void ready_add_first(struct k_thread *thread)
{
	unsigned int level = PRIO_LEVEL(thread->prio);

	(void)ready_link(thread, level);
	kernel.level[level] = thread;
	if (thread->prio <= kernel.best->prio) {
		kernel.best = thread;
	}
}

void ready_remove(struct k_thread *thread)
{
	ready_remove_inline(thread);
}
