/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who is preempted by a meta-IRQ thread though it is cooperative, or has locked the scheduler,
 * was promised that no other runs before it stops by itself. So it does not go to the ready
 * queue, where one that the meta-IRQ thread wakes could be more urgent: it is held here, and
 * is the next when no meta-IRQ thread is ready.
 *
 * Its threshold says who goes first all the same: meta-IRQ threads, or, after it has inherited
 * from one of those, the ones that are more urgent still. If its priority is made a preemptible
 * one meanwhile, it is as if it were the first of its level.
 *
 * There is more than one only if a meta-IRQ thread made itself an ordinary one and was
 * preempted then: the one from before goes on by its priority, ahead of its equals.
 *
 * Rejected: a level of its own in the ready queue. A thread's level would no longer follow from
 * its priority, which is what every path there builds on.
 */
#include "kernel/sched/metairq.h"
#include "kernel/sched/ready.h"

BUILD_ASSERT(CONFIG_NUM_METAIRQ_PRIORITIES <= CONFIG_NUM_COOP_PRIORITIES,
	     "meta-IRQ priorities are cooperative ones");

static struct k_thread *held; /* ready, and in no queue; or NULL */

struct k_thread *metairq_instead(struct k_thread *best)
{
	return held != NULL && best->prio >= held->threshold ? held : best;
}

int metairq_prio(const struct k_thread *next)
{
	return next == held ? next->threshold : next->prio;
}

/* Does nobody but a meta-IRQ thread preempt it? */
static bool is_fixed(const struct k_thread *thread)
{
	return thread->prio < 0 || thread->sched_locks != 0;
}

void metairq_switch(struct k_thread *out, struct k_thread *in)
{
	if (in == held) {
		held = NULL;
		return;
	}
	if (in->prio >= METAIRQ_LIMIT || out->prio < METAIRQ_LIMIT || !is_fixed(out) ||
	    !thread_is_ready(out)) {
		return;
	}
	if (held != NULL) {
		ready_add_first(held);
	}
	if ((out->state & K_THREAD_QUEUED) != 0) {
		ready_remove(out);
	}
	held = out;
}

void metairq_forget(const struct k_thread *thread)
{
	if (thread == held) {
		held = NULL;
	}
}
