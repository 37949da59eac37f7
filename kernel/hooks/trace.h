/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trace hooks: named events that cost nothing while CONFIG_TRACE is off. On a board with
 * signal pins each is one store, inline, so that what is watched is hardly disturbed;
 * elsewhere it is a call that keeps the event with its time (drivers/trace/ring.c). The
 * suite `periodic` and `foliot scope` are their readers.
 *
 * A switch lowers all signals where it begins (here) and raises the thread's where it
 * ends, in the port's assembly: between lies what threads lose by it.
 */
#ifndef FOLIOT_KERNEL_TRACE_H
#define FOLIOT_KERNEL_TRACE_H

#include "kernel/base/kernel.h"

#ifdef CONFIG_TRACE
#include "drivers/trace_levels.h"

/* The signals of the thread that runs, or is about to: for the ports' assembly. */
extern uint32_t trace_thread_levels;

/* For ports that cannot do it inline: an interrupt begins; a thread runs (again). */
void trace_isr_enter(void);
void trace_thread_in(void);

static inline void trace_thread_created(struct k_thread *thread, int prio)
{
	thread->trace_levels = K_SIGNAL_THREAD_ANY;
}

/* The thread that was created last is the idle thread. */
static inline void trace_idle_created(struct k_thread *thread)
{
	thread->trace_levels = 0;
}

static inline void trace_switch(struct k_thread *out, struct k_thread *in)
{
	trace_levels_set_all(0);
	trace_thread_levels = in->trace_levels;
}

/* The running thread begins to give the CPU up. */
static inline void trace_thread_out(void)
{
	trace_levels_set_all(0);
}

static inline void trace_ready(struct k_thread *thread)
{
	trace_levels_raise(K_SIGNAL_QUEUEING);
}

static inline void trace_ready_done(void)
{
	trace_levels_lower(K_SIGNAL_QUEUEING);
}

static inline void trace_scheduler_enter(void)
{
	trace_levels_raise(K_SIGNAL_SCHEDULER);
}

static inline void trace_scheduler_exit(void)
{
	trace_levels_lower(K_SIGNAL_SCHEDULER);
}
#elif defined(CONFIG_TRACE_RING)
#include "drivers/trace_ring.h"

void trace_isr_enter(uintptr_t number);
void trace_thread_in(void);

static inline void trace_thread_created(struct k_thread *thread, int prio)
{
	trace_ring_put(TRACE_RING_CREATED | (uint32_t)(uint8_t)prio << 8, (uintptr_t)thread, 0);
}

/* It was created once: the event that is there gets its priority. */
static inline void trace_idle_created(struct k_thread *thread)
{
	trace_ring.next[-1].what = TRACE_RING_CREATED | (uint32_t)K_IDLE_PRIO << 8;
}

static inline void trace_switch(struct k_thread *out, struct k_thread *in)
{
	trace_ring_put(TRACE_RING_SWITCH | (uint32_t)out->state << 8 |
			       (uint32_t)(out->pended_on != NULL) << 16,
		       (uintptr_t)out, (uintptr_t)in);
}

static inline void trace_thread_out(void)
{
}

static inline void trace_ready(struct k_thread *thread)
{
	trace_ring_put(TRACE_RING_READY, (uintptr_t)thread, 0);
}

static inline void trace_ready_done(void)
{
}

static inline void trace_scheduler_enter(void)
{
}

static inline void trace_scheduler_exit(void)
{
}
#else
static inline void trace_thread_created(struct k_thread *thread, int prio)
{
}

static inline void trace_idle_created(struct k_thread *thread)
{
}

static inline void trace_switch(struct k_thread *out, struct k_thread *in)
{
}

static inline void trace_thread_out(void)
{
}

static inline void trace_ready(struct k_thread *thread)
{
}

static inline void trace_ready_done(void)
{
}

static inline void trace_scheduler_enter(void)
{
}

static inline void trace_scheduler_exit(void)
{
}
#endif

#endif /* FOLIOT_KERNEL_TRACE_H */
