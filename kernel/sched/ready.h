/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ready queue; interrupts masked throughout. The inline variants are for the paths
 * that are measured, the functions of ready.c for all others.
 */
#ifndef FOLIOT_KERNEL_READY_H
#define FOLIOT_KERNEL_READY_H

#include "kernel/core/kernel.h"
#include "kernel/sched/slice.h"
#include "kernel/inspect/trace.h"

/* Level index in the ready queue of a priority; 0 is the most urgent. */
#define PRIO_LEVEL(prio) ((unsigned int)((prio) + CONFIG_NUM_COOP_PRIORITIES))

#define THREAD_NOT_READY (K_THREAD_PENDING | K_THREAD_SUSPENDED | K_THREAD_PRESTART | K_THREAD_DEAD)

/* True if `thread` may run. */
static inline bool thread_is_ready(const struct k_thread *thread)
{
	return (thread->state & THREAD_NOT_READY) == 0;
}

/* Last of its level; first, as a preempted thread is; out. */
void ready_add_last(struct k_thread *thread);
void ready_add_first(struct k_thread *thread);
void ready_remove(struct k_thread *thread);

static inline uint32_t ready_level_bit(unsigned int level)
{
	return 0x80000000U >> level;
}

/* Add as the last of its level; true if the level was empty. */
static inline bool ready_link_inline(struct k_thread *thread, unsigned int level)
{
	uint32_t bit = ready_level_bit(level);
	struct k_thread *head;
	struct k_thread *last;

	K_ASSERT((thread->state & (THREAD_NOT_READY | K_THREAD_QUEUED)) == 0, "ready-twice");
	trace_ready(thread);
	thread->state |= K_THREAD_QUEUED;
	if ((k_cpu.levels & bit) == 0) {
		k_cpu.levels |= bit;
		k_cpu.level[level] = thread;
		thread->next = thread;
		thread->prev = thread;
		return true;
	}
	head = k_cpu.level[level];
	last = head->prev;
	thread->next = head;
	thread->prev = last;
	last->next = thread;
	head->prev = thread;
	return false;
}

static inline void ready_add_last_inline(struct k_thread *thread)
{
	if (ready_link_inline(thread, PRIO_LEVEL(thread->prio)) &&
	    thread->prio < k_cpu.best->prio) {
		k_cpu.best = thread;
	}
	trace_ready_done();
	slice_ready(thread);
}

/*
 * For several in a row, with no interrupt let in between: `thread` behind `last`, which
 * has just been added as the last of the level that `head` heads, of the same priority.
 */
static inline void ready_add_behind_inline(struct k_thread *thread, struct k_thread *last,
					   struct k_thread *head)
{
	K_ASSERT((thread->state & (THREAD_NOT_READY | K_THREAD_QUEUED)) == 0, "ready-twice");
	trace_ready(thread);
	thread->state = K_THREAD_QUEUED;
	thread->next = head;
	thread->prev = last;
	last->next = thread;
	head->prev = thread;
	trace_ready_done();
	slice_ready(thread);
}

static inline void ready_remove_inline(struct k_thread *thread)
{
	unsigned int level = PRIO_LEVEL(thread->prio);
	struct k_thread *next = thread->next;

	K_ASSERT((thread->state & K_THREAD_QUEUED) != 0, "not-in-ready-queue");
	thread->state &= (uint8_t)~K_THREAD_QUEUED;
	if (next == thread) {
		k_cpu.levels &= ~ready_level_bit(level);
		if (k_cpu.best == thread) {
			k_cpu.best = k_cpu.level[__builtin_clz(k_cpu.levels)];
		}
		return;
	}
	thread->prev->next = next;
	next->prev = thread->prev;
	if (k_cpu.level[level] == thread) {
		k_cpu.level[level] = next;
		if (k_cpu.best == thread) {
			k_cpu.best = next;
		}
	}
}

#endif /* FOLIOT_KERNEL_READY_H */
