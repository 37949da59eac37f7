/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pending timeouts in one ring, in the order of their deadlines: for parts with little memory,
 * in place of the wheel of timeout.c (CONFIG_TIMEOUT_LIST). The contract is the same but for
 * what arming costs, which grows with the timeouts that are due later than the one that is
 * armed, counted from the last; interrupts are masked meanwhile. A dozen of them is cheaper
 * here than in the wheel.
 *
 * As in the wheel, ticks wrap and are compared by how far they lie ahead of the base, which no
 * pending one has passed; cancelling leaves the alarm as it is, and at worst one interrupt finds
 * nothing to do.
 */
#include "kernel/time/timeout.h"
#include "kernel/time/clock.h"
#include "kernel/base/kernel.h"

static struct {
	struct timeout_ring ring; /* the head; behind it the earliest, before it the latest */
	timeout_tick_t base;           /* everything before it has expired */
	timeout_tick_t alarm;          /* what the clock is set to */
	bool announcing;
} list;

/* How far ahead of the base a timeout may lie, as in the wheel. */
#define REACH ((timeout_tick_t)15 << (8U * sizeof(timeout_tick_t) - 4U))

static timeout_tick_t ahead(timeout_tick_t tick)
{
	return tick - list.base;
}

static struct timeout *timeout_of(struct timeout_ring *ring)
{
	return CONTAINER_OF(ring, struct timeout, ring);
}

static void set_alarm(timeout_tick_t tick)
{
	timeout_tick_t now = clock_latest();

	list.alarm = tick;
	clock_alarm(ahead(tick) > ahead(now) ? tick - now : 0);
}

/* Behind all that are due less than `limit` ahead of the base. */
static void insert(struct timeout *timeout, timeout_tick_t when, timeout_tick_t limit)
{
	struct timeout_ring *prev = list.ring.prev;

	K_ASSERT(ahead(when) <= REACH, "timeout-in-the-past");
	/* Bound: O, the timeouts that are due later. */
	while (prev != &list.ring && ahead(timeout_of(prev)->when) >= limit) {
		prev = prev->prev;
	}
	timeout->when = when;
	timeout->ring.prev = prev;
	timeout->ring.next = prev->next;
	prev->next->prev = &timeout->ring;
	prev->next = &timeout->ring;
}

timeout_tick_t timeout_deadline(k_timeout_t timeout)
{
	return timeout_deadline_from(clock_ticks(), timeout);
}

int timeout_link(struct timeout *timeout, timeout_tick_t when)
{
	insert(timeout, when, ahead(when) + 1U);
	return !list.announcing && ahead(when) < ahead(list.alarm) ? 0 : -1;
}

void timeout_alarm(int number, timeout_tick_t when)
{
	set_alarm(when);
}

void timeout_add(struct timeout *timeout, timeout_tick_t when)
{
	if (timeout_link(timeout, when) >= 0) {
		set_alarm(when);
	}
}

void timeout_start(struct timeout *timeout, timeout_tick_t ticks, unsigned int key)
{
	timeout_add(timeout, clock_ticks() + ticks);
	arch_irq_unlock(key);
}

void timeout_add_first(struct timeout *timeout, timeout_tick_t when)
{
	K_ASSERT(list.announcing && when != list.base, "not-while-announcing");
	insert(timeout, when, ahead(when));
}

struct timeout *timeout_neighbour(timeout_tick_t when, const struct timeout *timeout)
{
	struct timeout_ring *next = timeout == NULL ? list.ring.next : timeout->ring.next;

	/* Bound: O, the timeouts that are due earlier. */
	while (next != &list.ring && ahead(timeout_of(next)->when) < ahead(when)) {
		next = next->next;
	}
	return next == &list.ring || timeout_of(next)->when != when ? NULL : timeout_of(next);
}

timeout_tick_t timeout_remaining(const struct timeout *timeout)
{
	timeout_tick_t now = clock_ticks();

	return ahead(timeout->when) > ahead(now) ? timeout->when - now : 0;
}

void timeout_announce(timeout_tick_t now)
{
	struct timeout_ring *first;

	if (list.announcing) {
		return; /* let in below; the outer call sees to it */
	}
	list.announcing = true;
	/* Bound: E, the timeouts that are due; interrupts are let in after each. */
	while ((first = list.ring.next) != &list.ring &&
	       ahead(timeout_of(first)->when) <= ahead(now)) {
		list.base = timeout_of(first)->when;
		timeout_cancel(timeout_of(first));
		timeout_of(first)->expire(timeout_of(first));
		arch_isr_window();
	}
	list.base = now;
	list.announcing = false;
	set_alarm(first == &list.ring ? now + (timeout_tick_t)K_TICKS_MAX / 2
				      : timeout_of(first)->when);
}

void timeout_init(void)
{
	list.ring = (struct timeout_ring){&list.ring, &list.ring};
	list.base = clock_ticks();
	timeout_announce(list.base);
}
