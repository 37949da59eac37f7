/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Periodic threads. Those of one period and one grid form a group with one timeout, so
 * that a tick finds its due threads by following a ring, and a thread that is not due
 * is not looked at. kernel-v1, from which the idea is, counts down a ticker in every
 * installed thread at every tick; a timer a thread would pay for its re-insertion into
 * the wheel at every release.
 *
 * Rejected: joining groups whenever their grids meet (a group is found once, when a
 * period is set; two groups on one grid work as well, at one timeout more).
 *
 * Interrupts are let in after each release, as between any two timeouts. Meanwhile the
 * ring may change: `walk.next` follows what leaves, and who joins is marked as released
 * for this tick already.
 */
#include "sched.h"
#include "timeout.h"

#ifdef CONFIG_PERIODIC

/* Groups looked at for one to join; beyond, a thread has its own, which only costs more. */
#define GROUPS_LOOKED_AT 16

static struct {
	struct k_thread *next; /* to be released next, while a group is; NULL: none */
} walk;

static void period_expired(struct timeout *timeout);

static struct k_thread *leader_of(struct timeout *timeout)
{
	return CONTAINER_OF(timeout, struct k_thread, period.timeout);
}

/* A release that its thread does not wait for, in the plain way of release(). */
static __noinline void release_otherwise(struct k_thread *thread)
{
	struct thread_period *period = &thread->period;

	if (thread_is_ready(thread)) {
		period->stats.overruns++;
		period->late = true;
	} else if (period->waits) { /* suspended meanwhile, or its time-out is another's */
		period->waits = false;
		period->trigger = K_TRIGGER_PERIOD;
		sched_wake(thread, 0);
	} else {
		period->stats.skipped++;
	}
}

static inline void release(struct k_thread *thread)
{
	struct thread_period *period = &thread->period;

	if (unlikely(!period->waits || thread->state != K_THREAD_PENDING)) {
		release_otherwise(thread);
		return;
	}
	period->trigger = K_TRIGGER_PERIOD;
	period->waits = false;
	thread->state = 0;
	ready_add_last(thread); /* what the wait returns is 0: pended_on */
}

static void period_expired(struct timeout *timeout)
{
	struct k_thread *thread = leader_of(timeout);
	k_ticks_t when = timeout->when;

	timeout_add(timeout, when + thread->period.ticks);
	/* Bound: the members of the group; interrupts are let in after each. */
	while (thread != NULL && thread->period.released != when) {
		thread->period.released = when;
		walk.next = thread->period.next;
		release(thread);
		irq_unlock(ARCH_IRQ_KEY_OPEN);
		(void)irq_lock();
		thread = walk.next;
	}
	walk.next = NULL;
	if (kernel.best->prio < kernel.current->threshold) {
		arch_request_switch();
	}
}

/* Lead a group of one, or of those that follow in the ring. */
static void lead(struct k_thread *thread, k_ticks_t when)
{
	thread->period.leads = true;
	thread->period.timeout.expire = period_expired;
	timeout_add(&thread->period.timeout, when);
}

/* The leader of the group that `thread` belongs to, or NULL if there is none yet. */
static struct k_thread *find_group(const struct k_thread *thread, k_ticks_t when)
{
	struct timeout *first = timeout_neighbours(when);
	struct timeout *timeout = first;

	for (unsigned int i = 0; timeout != NULL && i < GROUPS_LOOKED_AT; i++) {
		if (timeout->when == when && timeout->expire == period_expired &&
		    leader_of(timeout)->period.ticks == thread->period.ticks) {
			return leader_of(timeout);
		}
		timeout = timeout->next == first ? NULL : timeout->next;
	}
	return NULL;
}

static void join(struct k_thread *thread, k_ticks_t when)
{
	struct thread_period *period = &thread->period;
	struct k_thread *leader = find_group(thread, when);

	period->released = when - period->ticks;
	if (leader == NULL) {
		period->next = thread;
		period->prev = thread;
		lead(thread, when);
		return;
	}
	period->next = leader;
	period->prev = leader->period.prev;
	period->prev->period.next = thread;
	leader->period.prev = thread;
}

void period_leave(struct k_thread *thread)
{
	struct thread_period *period = &thread->period;
	struct k_thread *next = period->next;
	bool alone = next == thread;

	if (walk.next == thread) {
		walk.next = alone ? NULL : next;
	}
	period->ticks = 0;
	period->prev->period.next = next;
	next->period.prev = period->prev;
	if (period->leads) {
		period->leads = false;
		timeout_cancel(&period->timeout);
		if (!alone) {
			lead(next, period->timeout.when);
		}
	}
}

int k_thread_period_set(struct k_thread *thread, k_timeout_t period, k_timeout_t start_after)
{
	unsigned int key;

	if (period.ticks == K_TICKS_FOREVER || start_after.ticks == K_TICKS_FOREVER) {
		return -EINVAL;
	}
	key = irq_lock();
	period_ended(thread);
	thread->period.stats = (struct k_period_stats){0, 0};
	thread->period.late = false;
	thread->period.ticks = period.ticks;
	if (period.ticks != 0) {
		join(thread, timeout_deadline(start_after));
	}
	irq_unlock(key);
	return 0;
}

/* The release came while the caller was at work, or there will be none. */
static __noinline int wait_not(struct k_thread *current, unsigned int key)
{
	if (current->period.ticks == 0) {
		irq_unlock(key);
		return -EINVAL;
	}
	current->period.late = false;
	current->period.trigger = K_TRIGGER_PERIOD;
	irq_unlock(key);
	k_yield();
	return 1;
}

int k_period_wait(void)
{
	unsigned int key = irq_lock();
	struct k_thread *current = kernel.current;

	trace_thread_out();
	K_ASSERT(!arch_in_isr(), "period-wait-in-isr");
	if (unlikely(current->period.late || current->period.ticks == 0)) {
		return wait_not(current, key);
	}
	sched_check();
	if ((current->state & K_THREAD_QUEUED) != 0) {
		ready_remove_inline(current);
	}
	current->pended_on = NULL;
	current->period.waits = true;
	current->state = K_THREAD_PENDING;
	return (int)sched_switch(current, kernel.best, key);
}

enum k_trigger k_trigger_get(void)
{
	return (enum k_trigger)kernel.current->period.trigger;
}

void k_thread_period_stats_get(struct k_thread *thread, struct k_period_stats *stats)
{
	unsigned int key = irq_lock();

	*stats = thread->period.stats;
	irq_unlock(key);
}

#endif /* CONFIG_PERIODIC */
