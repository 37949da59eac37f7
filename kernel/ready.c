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

static uint32_t level_bit(unsigned int level)
{
	return 0x80000000U >> level;
}

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
	uint32_t bit = level_bit(level);

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
	unsigned int level = PRIO_LEVEL(thread->prio);
	struct k_thread *next = thread->next;

	K_ASSERT((thread->state & K_THREAD_QUEUED) != 0, "not-in-ready-queue");
	thread->state &= (uint8_t)~K_THREAD_QUEUED;
	if (next == thread) {
		kernel.levels &= ~level_bit(level);
		if (kernel.best == thread) {
			kernel.best = kernel.level[__builtin_clz(kernel.levels)];
		}
		return;
	}
	thread->prev->next = next;
	next->prev = thread->prev;
	if (kernel.level[level] == thread) {
		kernel.level[level] = next;
		if (kernel.best == thread) {
			kernel.best = next;
		}
	}
}
