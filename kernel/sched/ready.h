/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ready queue; interrupts masked throughout. The inline variants are for the paths
 * that are measured, the functions of ready.c for all others.
 */
#ifndef FOLIOT_KERNEL_READY_H
#define FOLIOT_KERNEL_READY_H

#include "kernel/base/kernel.h"
#include "kernel/sched/earlier.h"
#include "kernel/hooks/slice.h"
#include "kernel/hooks/trace.h"
#include "lib/bits.h"

/* Level index in the ready queue of a priority; 0 is the most urgent. */
#define PRIO_LEVEL(prio) ((unsigned int)((prio) + CONFIG_NUM_COOP_PRIORITIES))

#define THREAD_NOT_READY (K_THREAD_PENDING | K_THREAD_SUSPENDED | K_THREAD_PRESTART | K_THREAD_DEAD)

/* True if `thread` may run. */
/*@ requires \valid_read(thread);
  @ assigns \nothing;
  @ ensures \result <==> (thread->state & THREAD_NOT_READY) == 0;
  @*/
static inline bool thread_is_ready(const struct k_thread *thread)
{
	return (thread->state & THREAD_NOT_READY) == 0;
}

/* Last of its level; first, as a preempted thread is; out. */
void ready_add_last(struct k_thread *thread);
void ready_add_first(struct k_thread *thread);
void ready_remove(struct k_thread *thread);

/*
 * The first two, with CONFIG_SCHED_DEADLINE: behind all of its deadline, or before them. True if it
 * is the most urgent thread now.
 */
bool ready_add_by_deadline(struct k_thread *thread, bool first);

/* The most urgent level has the lowest bit. */
/*@ predicate level_is_marked{L}(integer level) = (k_cpu.levels >> level) % 2 == 1;
  @ predicate rings_meet{L}(struct k_thread *thread, struct k_thread *head) =
  @   head->prev == thread && thread->next == head;
  @*/
/*@ requires level < NUM_LEVELS;
  @ assigns \nothing;
  @ ensures \result == 1 << level;
  @*/
static inline level_bits_t ready_level_bit(unsigned int level)
{
	return (level_bits_t)1U << level;
}

/* Its number; `bits` is not 0. */
/*@ requires bits != 0;
  @ assigns \nothing;
  @ ensures 0 <= \result < 32 && (bits >> \result) % 2 == 1;
  @*/
static inline unsigned int ready_lowest_level(level_bits_t bits)
{
	uint32_t lower = (uint32_t)bits;

	if (NUM_LEVELS > 32 && lower == 0) {
		return 32U + lowest_bit((uint32_t)((uint64_t)bits >> 32));
	}
	return lowest_bit(lower);
}

/* The head of the most urgent level that is not empty. */
/*@ requires k_cpu.levels != 0 && k_cpu.levels < 1 << NUM_LEVELS;
  @ assigns \nothing;
  @ ensures \exists integer i; 0 <= i < NUM_LEVELS && level_is_marked(i) &&
  @   \result == k_cpu.level[i];
  @*/
static inline struct k_thread *ready_search(void)
{
	return k_cpu.level[ready_lowest_level(k_cpu.levels)];
}

/* Add as the last of its level; true if the level was empty. */
static inline bool ready_link_inline(struct k_thread *thread, unsigned int level)
{
	level_bits_t bit = ready_level_bit(level);
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

/* True if it is the most urgent one now. */
static inline bool ready_add_last_inline(struct k_thread *thread)
{
	if (IS_ENABLED(CONFIG_SCHED_DEADLINE)) {
		return ready_add_by_deadline(thread, false);
	}

	bool best = ready_link_inline(thread, PRIO_LEVEL(thread->prio)) &&
		    thread->prio < k_cpu.best->prio;

	if (best) {
		k_cpu.best = thread;
	}
	trace_ready_done();
	slice_ready(thread);
	return best;
}

/* The last of its level becomes the first. */
/*@ requires \valid(thread) && \valid_read(k_cpu.best);
  @ requires 0 <= PRIO_LEVEL(thread->prio) < NUM_LEVELS;
  @ assigns k_cpu.level[PRIO_LEVEL(thread->prio)], k_cpu.best;
  @ ensures k_cpu.level[PRIO_LEVEL(thread->prio)] == thread;
  @ ensures \old(thread->prio <= k_cpu.best->prio) ==> k_cpu.best == thread;
  @ ensures \old(thread->prio > k_cpu.best->prio) ==> k_cpu.best == \old(k_cpu.best);
  @*/
static inline void ready_make_first(struct k_thread *thread)
{
	k_cpu.level[PRIO_LEVEL(thread->prio)] = thread;
	if (thread->prio <= k_cpu.best->prio) {
		k_cpu.best = thread;
	}
}

static inline void ready_add_first_inline(struct k_thread *thread)
{
	if (IS_ENABLED(CONFIG_SCHED_DEADLINE)) {
		(void)ready_add_by_deadline(thread, true);
		return;
	}
	(void)ready_link_inline(thread, PRIO_LEVEL(thread->prio));
	ready_make_first(thread);
	trace_ready_done();
	slice_ready(thread);
}

/* `thread`, the last of the ring that `head` heads; its level is not empty, and not searched. */
/*@ requires \valid(thread) && \valid(head) && \valid(head->prev);
  @ requires \separated(thread, head, &k_cpu) && \separated(thread, head->prev);
  @ assigns thread->next, thread->prev, head->prev, head->prev->next;
  @ ensures thread->next == head && head->prev == thread;
  @ ensures thread->prev == \old(head->prev) && \old(head->prev)->next == thread;
  @*/
static inline void ready_link_behind(struct k_thread *thread, struct k_thread *head)
{
	struct k_thread *last = head->prev;

	thread->next = head;
	thread->prev = last;
	last->next = thread;
	head->prev = thread;
}

/*
 * The running thread, which is not queued, preemptible and about to be preempted, as the
 * first of its level. Nothing that is queued outranks it, so it becomes the best.
 */
static inline void ready_add_preempted_inline(struct k_thread *current)
{
	unsigned int level = PRIO_LEVEL(current->prio);
	level_bits_t levels = k_cpu.levels;
	level_bits_t bit = ready_level_bit(level);

	K_ASSERT(current->state == 0, "ready-twice");
	K_ASSERT(current->prio <= k_cpu.best->prio, "missed-preemption");
	trace_ready(current);
	current->state = K_THREAD_QUEUED;
	if (likely((levels & bit) == 0)) {
		k_cpu.levels = levels | bit;
		current->next = current;
		current->prev = current;
	} else {
		ready_link_behind(current, k_cpu.level[level]);
	}
	k_cpu.level[level] = current;
	k_cpu.best = current;
	trace_ready_done();
	slice_ready(current);
}

/*
 * For several in a row, with no interrupt let in between: `thread` behind `last`, which
 * has just been added as the last of the level that `head` heads, of the same priority.
 */
/*@ requires \valid(thread) && \valid(last) && \valid(head);
  @ requires \separated(thread, last) && \separated(thread, head);
  @ requires last == head || \separated(last, head);
  @ ensures thread->next == head && thread->prev == last;
  @ ensures last->next == thread && head->prev == thread;
  @ ensures thread->state == K_THREAD_QUEUED;
  @*/
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

/* The same but for its state, which the caller sets. */
static inline void ready_unlink_inline(struct k_thread *thread)
{
	unsigned int level = PRIO_LEVEL(thread->prio);
	struct k_thread *next = thread->next;

	K_ASSERT((thread->state & K_THREAD_QUEUED) != 0, "not-in-ready-queue");
	if (likely(next == thread)) {
		k_cpu.levels ^= ready_level_bit(level); /* it is set */
		if (likely(k_cpu.best == thread)) {
			k_cpu.best = ready_search();
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

static inline void ready_remove_inline(struct k_thread *thread)
{
	ready_unlink_inline(thread);
	thread->state &= (uint8_t)~K_THREAD_QUEUED;
}

/* `thread`, the first of its level, which it shares, behind its equals. */
static inline void ready_go_behind(struct k_thread *thread)
{
	if (IS_ENABLED(CONFIG_SCHED_DEADLINE)) {
		ready_remove(thread);
		ready_add_last(thread);
		return;
	}
	k_cpu.level[PRIO_LEVEL(thread->prio)] = thread->next;
	if (k_cpu.best == thread) {
		k_cpu.best = thread->next;
	}
}

/* Is `thread`, ready, the first of those that it takes turns with: its equals, of its deadline? */
static inline bool ready_is_first(const struct k_thread *thread)
{
	return k_cpu.level[PRIO_LEVEL(thread->prio)] == thread ||
	       ((thread->state & K_THREAD_QUEUED) != 0 &&
		deadline_is_earlier(thread->prev, thread));
}

#endif /* FOLIOT_KERNEL_READY_H */
