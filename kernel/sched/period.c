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
 * Interrupts are let in after every few releases. Meanwhile the ring may change:
 * `walk.next` follows what leaves, and who joins is marked as released for this tick
 * already.
 */
#include "kernel/sched/sched.h"
#include "kernel/time/timeout.h"
#include "kernel/time/clock.h"

CALLS_DIRECTLY(k_yield);

/* Groups looked at for one to join; beyond, a thread has its own, which only costs more. */
#define GROUPS_LOOKED_AT 16

/* Releases between two windows for interrupts; one lasts about 20 cycles on Ibex. */
#define RELEASES_IN_A_ROW 8

/* The group that is being released, while a window is open. */
static struct {
	struct k_thread *next;   /* to be released next; NULL: none is left */
	struct k_thread *leader; /* where the ring has been gone round */
} walk;

static struct k_thread *leader_of(struct timeout *timeout)
{
	return CONTAINER_OF(timeout, struct k_thread, period.timeout);
}

/* A release that finds its thread not waiting for it, or suspended as well. */
static __noinline void release_slow(struct k_thread *thread)
{
	struct thread_period *period = &thread->period;

	if (thread_is_ready(thread)) {
		period->stats.overruns++;
		period->no_wait = true;
	} else if ((thread->state & K_THREAD_PERIOD) != 0) {
		period_triggered(thread, K_TRIGGER_PERIOD);
		sched_wake(thread, 0);
	} else {
		period->stats.skipped++;
	}
}

#define NO_PRIO (INT8_MAX + 1)

/*
 * Release `thread` and those that follow it in the ring, until the leader or until it is
 * time for a window. Returns where it stopped. Neighbours of one priority are put behind
 * one another without asking the ready queue again.
 */
static struct k_thread *release_some(struct k_thread *thread, const struct k_thread *leader)
{
	struct k_thread *last = thread;
	struct k_thread *head = thread;
	int prio = NO_PRIO; /* of `last`, if that is the last of the level that `head` heads */
	unsigned int left = RELEASES_IN_A_ROW;

	do { /* Bound: RELEASES_IN_A_ROW. */
		if (likely(thread->state == (K_THREAD_PENDING | K_THREAD_PERIOD))) {
			thread->period.trigger = K_TRIGGER_PERIOD;
			thread->state = 0;
			if (!IS_ENABLED(CONFIG_SCHED_DEADLINE) && likely(thread->prio == prio)) {
				ready_add_behind_inline(thread, last, head);
			} else {
				prio = thread->prio;
				ready_add_last_inline(thread);
				head = thread->next;
			}
			last = thread;
		} else {
			release_slow(thread);
			prio = NO_PRIO;
		}
		thread = thread->period.next;
	} while (thread != leader && --left != 0);
	return thread;
}

/* Let interrupts in. Returns who is next, or NULL; *leader may have changed. */
static struct k_thread *window(struct k_thread *next, struct k_thread **leader)
{
	walk.next = next;
	walk.leader = *leader;
	arch_isr_window();
	next = walk.next;
	*leader = walk.leader;
	walk.leader = NULL;
	return next;
}

static void period_expired(struct timeout *timeout)
{
	struct k_thread *leader = leader_of(timeout);
	struct k_thread *thread = leader;

	timeout_add_first(timeout, timeout->when + leader->period.ticks);
	do { /* Bound: G / RELEASES_IN_A_ROW + 1, as the members of the group. */
		thread = release_some(thread, leader);
		thread = thread == leader ? NULL : window(thread, &leader);
	} while (thread != NULL);
	if (sched_outranks(k_cpu.best, k_cpu.current)) {
		arch_request_switch();
	}
}

/* Lead a group of one, or of those that follow in the ring. */
static void lead(struct k_thread *thread, timeout_tick_t when)
{
	thread->period.leads = true;
	thread->period.timeout.expire = period_expired;
	timeout_add(&thread->period.timeout, when);
}

/* The leader of the group that `thread` belongs to, or NULL if there is none yet. */
static struct k_thread *find_group(const struct k_thread *thread, timeout_tick_t when)
{
	struct timeout *timeout = timeout_neighbour(when, NULL);

	/* Bound: GROUPS_LOOKED_AT. */
	for (unsigned int i = 0; timeout != NULL && i < GROUPS_LOOKED_AT; i++) {
		if (timeout->when == when && timeout->expire == period_expired &&
		    leader_of(timeout)->period.ticks == thread->period.ticks) {
			return leader_of(timeout) == walk.leader ? NULL : leader_of(timeout);
		}
		timeout = timeout_neighbour(when, timeout);
	}
	return NULL;
}

static void join(struct k_thread *thread, timeout_tick_t when)
{
	struct thread_period *period = &thread->period;
	struct k_thread *leader = find_group(thread, when);

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

/* In a window `thread` leaves; `next` is the one behind it in its ring. */
static void traversal_leave(struct k_thread *thread, struct k_thread *next)
{
	bool starts = thread == walk.leader;

	if (thread == walk.next) {
		walk.next = next == thread || (next == walk.leader && !starts) ? NULL : next;
	}
	if (starts) {
		walk.leader = next;
	}
}

void period_leave(struct k_thread *thread)
{
	struct thread_period *period = &thread->period;
	struct k_thread *next = period->next;
	bool alone = next == thread;

	if (walk.leader != NULL) {
		traversal_leave(thread, next);
	}
	period->ticks = 0;
	period->no_wait = true;
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

/* Restores key. */
static int set(struct k_thread *thread, timeout_tick_t ticks, timeout_tick_t first,
	       unsigned int key)
{
	if ((thread->state & K_THREAD_DEAD) != 0) {
		arch_irq_unlock(key);
		return -ESRCH;
	}
	period_ended(thread);
	thread->period.stats = (struct k_period_stats){0, 0};
	thread->period.ticks = ticks;
	thread->period.no_wait = ticks == 0;
	if (ticks != 0) {
		join(thread, first);
	}
	arch_irq_unlock(key);
	return 0;
}

int k_thread_period_set(struct k_thread *thread, k_timeout_t period, k_timeout_t start_after)
{
	unsigned int key;

	if (period.ticks == K_TICKS_FOREVER || start_after.ticks == K_TICKS_FOREVER ||
	    timeout_is_absolute(period)) {
		return -EINVAL;
	}
	key = arch_irq_lock();
	return set(thread, (timeout_tick_t)period.ticks, timeout_deadline(start_after), key);
}

int k_thread_period_set_at(struct k_thread *thread, k_timeout_t period, k_ticks_t first)
{
	unsigned int key;

	if (period.ticks == K_TICKS_FOREVER || timeout_is_absolute(period)) {
		return -EINVAL;
	}
	key = arch_irq_lock();
	return set(thread, (timeout_tick_t)period.ticks, clock_from_uptime((timeout_tick_t)first),
		   key);
}

/* The release came while the caller was at work, or there will be none. */
static __noinline int wait_not(struct k_thread *current, unsigned int key)
{
	if (current->period.ticks == 0) {
		arch_irq_unlock(key);
		return -EINVAL;
	}
	current->period.no_wait = false;
	current->period.trigger = K_TRIGGER_PERIOD;
	arch_irq_unlock(key);
	k_yield();
	return 1;
}

/* The caller is not the head of the most urgent level, or alone there. */
static __noinline int wait_slow(struct k_thread *current, unsigned int key)
{
	K_ASSERT(!arch_in_isr(), "period-wait-in-isr");
	if (current->period.no_wait) {
		return wait_not(current, key);
	}
	sched_check();
	if ((current->state & K_THREAD_QUEUED) != 0) {
		ready_remove(current);
	}
	current->pended_on = NULL;
	current->wake_value = 0; /* here, so that a release need not */
	current->state = K_THREAD_PENDING | K_THREAD_PERIOD;
	return (int)sched_switch(current, k_cpu.best, key);
}

int k_period_wait(void)
{
	unsigned int key = arch_irq_lock();
	struct k_thread *current = k_cpu.current;
	struct k_thread *next = current->next;

	trace_thread_out();
	if (unlikely(current->period.no_wait || current->state != K_THREAD_QUEUED ||
		     k_cpu.best != current || next == current)) {
		return wait_slow(current, key);
	}
	/* The usual case: the next one of those that were released together goes on. */
	next->prev = current->prev;
	next->prev->next = next;
	k_cpu.level[PRIO_LEVEL(current->prio)] = next;
	k_cpu.best = next;
	current->pended_on = NULL;
	current->wake_value = 0; /* here, so that a release need not */
	current->state = K_THREAD_PENDING | K_THREAD_PERIOD;
	return (int)sched_switch(current, next, key);
}

enum k_trigger k_trigger_get(void)
{
	return (enum k_trigger)k_cpu.current->period.trigger;
}

void k_thread_period_stats_get(struct k_thread *thread, struct k_period_stats *stats)
{
	unsigned int key = arch_irq_lock();

	*stats = thread->period.stats;
	arch_irq_unlock(key);
}
