/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of a thread, by its own return, by k_thread_abort() or by a fault: one way, which
 * tells everything that refers to it. Its period and its turn, the queue it is in, its
 * time-out, the mutexes it holds that others wait for, the list of objects, its joiners. What
 * is in no list, a mutex that nobody waits for, finds out by the generation, which leads to
 * living threads only. So a block can be created anew at once, or be anything else.
 */
#include "kernel/base/fatal.h"
#include "kernel/sched/sched.h"
#include "kernel/hooks/generation.h"
#include "kernel/hooks/inherit.h"
#include "kernel/sched/join.h"
#include "kernel/hooks/thread_ipc.h"
#include "kernel/hooks/user.h"
#include "kernel/sched/thread_bury.h"

CALLS_DIRECTLY(k_fatal_raise);

static __noinline void bury_known(struct k_thread *thread, unsigned int key)
{
	user_thread_known_ended(thread);
	arch_irq_unlock(key);
}

/* The last of a thread that is involved in nothing: calls nobody unless last. */
static inline void bury_alone(struct k_thread *thread, unsigned int key)
{
	if (unlikely(thread_bury(thread))) {
		bury_known(thread, key);
		return;
	}
	arch_irq_unlock(key);
}

static __noinline void abort_essential(struct k_thread *thread, unsigned int key)
{
	arch_irq_unlock(key);
	if (IS_ENABLED(CONFIG_FAULT_REPORT)) {
		fatal_print_pc("essential thread ended: 0x", (uintptr_t)thread);
	}
	k_panic();
}

/* Any; the usual: the caller, one that waits or is waited for, or that must not end. */
static __noinline void abort_involved(struct k_thread *thread, unsigned int key)
{
	bool is_involved;

	if ((thread->options & K_ESSENTIAL) != 0) {
		abort_essential(thread, key);
		return;
	}
	if ((thread->state & K_THREAD_DEAD) != 0) {
		arch_irq_unlock(key);
		return;
	}
	if (sched_traversal_is_finished(thread)) {
		sched_traversal_ends_thread(thread, key);
		return;
	}
	if (user_thread_ends(thread, key) ||
	    (thread->joiners.head != NULL && join_wake_all(thread, key))) {
		return;
	}
	if (sched_lends_or_inherits(thread) ||
	    (poll_thread_polls(thread) && arch_may_switch(key))) {
		if (sched_traversal_of_end(thread, key)) {
			return;
		}
		if (thread == k_cpu.current) {
			inherit_own_end(thread, key);
		}
		if (thread->joiners.head != NULL && join_wake_all(thread, key)) {
			return;
		}
	}
	/* Model: work.waiter_ends, pipe.end, steps.end */
	if (sched_is_traversing(key) && sched_traversal_ends(thread, key)) {
		return;
	}
	period_ended(thread); /* those were walks, and a handler may have set one */
	sched_unlink(thread);
	ipc_thread_ends(thread);
	is_involved = thread->contended != NULL;
	if (thread_bury(thread)) {
		user_thread_known_ended(thread);
	}
	if (thread->generation != GENERATION_NONE) {
		generation_end(thread);
	}
	if (is_involved) {
		inherit_thread_ended(thread, key);
	}
	if (thread == k_cpu.current) {
		sched_stop(thread, key);
	} else {
		sched_reschedule(key);
	}
}

static __noinline void abort_queued(struct k_thread *thread, unsigned int key)
{
	ready_remove_inline(thread);
	bury_alone(thread, key);
}

void k_thread_abort(k_tid_t thread)
{
	unsigned int key = arch_irq_lock();
	unsigned int state = thread->state;

	period_ended(thread);
	if (!FAST_PATHS ||
	    unlikely((state & (K_THREAD_PENDING | K_THREAD_TIMED | K_THREAD_DEAD)) != 0 ||
		     thread->joiners.head != NULL || thread->generation != GENERATION_NONE ||
		     poll_thread_polls(thread) || thread == k_cpu.current ||
		     (thread->options & K_ESSENTIAL) != 0)) {
		abort_involved(thread, key);
		return;
	}
	if ((state & K_THREAD_QUEUED) != 0) {
		abort_queued(thread, key);
		return;
	}
	bury_alone(thread, key);
}

void thread_exit(void)
{
	k_thread_abort(k_cpu.current);
	__builtin_unreachable();
}
