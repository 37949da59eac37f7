/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns of threads of equal priority: what the scheduler tells slice.c. Interrupts
 * masked. Nothing without CONFIG_TIMESLICING; with it a test at a switch, and more
 * only while somebody takes turns.
 */
#ifndef FOLIOT_KERNEL_SLICE_H
#define FOLIOT_KERNEL_SLICE_H

#include "kernel/base/kernel.h"

#ifdef CONFIG_TIMESLICING
void slice_shared(struct k_thread *thread);
void slice_switch(struct k_thread *out, struct k_thread *in);
void slice_charge(struct k_thread *thread, int prio);
void slice_recount(struct k_thread *current);

/* Is there anything to do at a switch? Else nobody takes turns, or has begun one. */
static inline bool slice_is_on(void)
{
	return unlikely(k_cpu.sliced != 0);
}

/* The switch with what is to be done at it (sched_switch()). */
intptr_t slice_sched_switch(struct k_thread *current, struct k_thread *next, unsigned int key);

/* `thread` has entered the ready queue: does it share its priority with anybody? */
static inline void slice_ready(struct k_thread *thread)
{
	const struct k_thread *current = k_cpu.current;

	if (thread->next != thread || (current->prio == thread->prio && current != thread)) {
		slice_shared(thread);
	}
}

/* The priority of `thread` is about to become `prio`; it has, and the thread is in its queue. */
static inline void slice_moves(struct k_thread *thread, int prio)
{
	if (slice_is_on()) {
		slice_charge(thread, prio);
	}
}
void slice_moved(struct k_thread *thread);

/* `thread` begins a turn when it runs again; of the running thread the turn goes on. */
static inline void slice_new_turn(struct k_thread *thread)
{
	if (thread != k_cpu.current) {
		thread->slice_used = 0;
	}
}

/* The running thread may be preempted again, or was stopped and goes on after all. */
static inline void slice_goes_on(struct k_thread *current)
{
	if (slice_is_on()) {
		slice_recount(current);
	}
}

/* Its turn was over, and its equals have gone before they could be switched to. */
void slice_stay(struct k_thread *current);
#else
static inline bool slice_is_on(void)
{
	return false;
}

static inline void slice_switch(struct k_thread *out, struct k_thread *in)
{
}

static inline intptr_t slice_sched_switch(struct k_thread *current, struct k_thread *next,
					  unsigned int key)
{
	return 0;
}

static inline void slice_ready(struct k_thread *thread)
{
}

static inline void slice_moves(struct k_thread *thread, int prio)
{
}

static inline void slice_moved(struct k_thread *thread)
{
}

static inline void slice_new_turn(struct k_thread *thread)
{
}

static inline void slice_goes_on(struct k_thread *current)
{
}

static inline void slice_stay(struct k_thread *current)
{
}
#endif

#ifdef CONFIG_TIMESLICE_PER_THREAD
/* The thread has ended, or gets other settings: nobody is to be told of its turns. */
void slice_forget(struct k_thread *thread);

static inline void slice_thread_ended(struct k_thread *thread)
{
	if (thread->slice_ticks != 0) {
		slice_forget(thread);
	}
}
#else
static inline void slice_thread_ended(struct k_thread *thread)
{
}
#endif

static inline void slice_thread_init(struct k_thread *thread)
{
#ifdef CONFIG_TIMESLICING
	thread->slice_used = 0;
#endif
#ifdef CONFIG_TIMESLICE_PER_THREAD
	thread->slice_ticks = 0;
#endif
}

#endif /* FOLIOT_KERNEL_SLICE_H */
