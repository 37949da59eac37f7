/* SPDX-License-Identifier: Apache-2.0 */
/* Giving way to equals. */
#include "kernel/sched/masked.h"
#include "kernel/sched/sched.h"

/*
 * Nothing but yield_to_others(). Not with meta-IRQs: one that has become cooperative gives way to
 * whom it has preempted, who is the best without being the first of a queue.
 */
#define ONE_WAY (!FAST_PATHS && !IS_ENABLED(CONFIG_METAIRQ))

/* Any; the usual: a cooperative one, or under a lock, that others outrank; or an ISR. */
static __noinline void yield_to_others(struct k_thread *current, unsigned int key)
{
	bool queued = (current->state & K_THREAD_QUEUED) != 0;

	if (arch_in_isr() || (!queued && sched_best_prio() > current->prio)) {
		arch_irq_unlock(key);
		return;
	}
	if (queued) {
		ready_remove(current);
	}
	ready_add_last(current);
	if ((ONE_WAY || IS_ENABLED(CONFIG_SCHED_DEADLINE)) &&
	    metairq_instead(k_cpu.best) == current) { /* also: its deadline is the earliest still */
		arch_irq_unlock(key);
		return;
	}
	(void)sched_switch(current, k_cpu.best, key);
}

/* The running thread is not queued; the best may be of its level, and is its first then. */
static __noinline void yield_unqueued(struct k_thread *current, unsigned int key)
{
	struct k_thread *best = k_cpu.best;

	if (metairq_prio(metairq_instead(best)) > current->prio && current->state == 0) {
		arch_irq_unlock(key); /* nobody is as urgent */
		return;
	}
	if (!FAST_PATHS ||
	    unlikely(best->prio != current->prio || current->state != 0 || !arch_may_switch(key))) {
		yield_to_others(current, key);
		return;
	}
	trace_ready(current);
	current->state = K_THREAD_QUEUED;
	ready_link_behind(current, best);
	trace_ready_done();
	slice_ready(current);
	(void)sched_switch(current, best, key);
}

static inline void yield(unsigned int key)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *next = current->next;

	K_ASSERT(!arch_in_isr(), "yield-in-isr");
	if (ONE_WAY) {
		yield_to_others(current, key);
		return;
	}
	if (unlikely(k_cpu.best != current)) {
		yield_unqueued(current, key);
		return;
	}
	if (unlikely(next == current)) {
		arch_irq_unlock(key);
		return;
	}
	if (IS_ENABLED(CONFIG_SCHED_DEADLINE)) {
		yield_to_others(current, key);
		return;
	}
	/* Turn the ring: the caller becomes its last. */
	k_cpu.level[PRIO_LEVEL(current->prio)] = next;
	k_cpu.best = next;
	(void)sched_switch(current, next, key);
}

void k_yield(void)
{
	yield(arch_irq_lock());
}

#ifdef CONFIG_ARCH_USER_CALLS_MASKED
void yield_masked(void)
{
	yield(ARCH_IRQ_KEY_OPEN);
}
#endif
