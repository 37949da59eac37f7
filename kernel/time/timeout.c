/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timeout wheel: insertion and cancellation in constant time, tickless.
 *
 * Eight levels of 16 slots, a hexadecimal digit of the 32-bit tick each. A timeout lies at
 * the level of the highest digit in which its time differs from wheel.base, in the slot of
 * its own digit there: so slots are ranges of ticks that don't overlap, the lowest level in
 * use holds the earliest ones, and no timeout's place changes while the base stays before
 * its slot. A slot is a ring that goes through the slot itself, in the order of arming.
 *
 * A slot's `first` is no later than any timeout in it. The earliest slot's is what the alarm
 * is set to. Then those of that tick expire, first come, first served; whatever else is in
 * the slot moves down, at most seven times in a timeout's life. A slot that holds one tick,
 * and that is most of them, expires where it is: nothing moves at a slot's beginning, and
 * there is no interrupt but for a deadline.
 *
 * wheel.marked has a bit for each slot that is not empty, and may have one for a slot that
 * is: cancelling takes a timeout out of its ring and does nothing else. The search for the
 * earliest slot unmarks what it finds empty. What holds for marked slots, outside of
 * timeout_announce():
 *  1. they lie ahead of the base, so `first` means what it says;
 *  2. the alarm is no later than any slot's `first`;
 *  3. wheel.next is the earliest of them, if the alarm is for any.
 *
 * Ticks wrap, so they are compared by how far they lie ahead of the base, which no pending
 * one has passed: nothing is ever "behind". Rejected: a sorted list (insertion grows with the
 * number of sleepers); a wheel of one level (a tick must skip over timeouts of later rounds);
 * unmarking when a timeout is cancelled, which costs as much again as the cancelling, each
 * time, to spare a later interrupt the same; an alarm at a slot's beginning, to move down
 * what is in it then (an interrupt that expires nothing, and moves what will be cancelled).
 */
#include "kernel/time/timeout.h"
#include "kernel/time/clock.h"
#include "kernel/time/arithmetic.h"
#include "kernel/core/kernel.h"
#include "lib/bits.h"

#define SLOTS     (1U << DIGIT_BITS)
#define LEVELS    (32U / DIGIT_BITS)
#define WORD_BITS 32U
#define NOWHERE   (LEVELS * SLOTS) /* a slot that is always empty */
#define TOP       (NOWHERE - SLOTS) /* the first one of the highest level */

struct slot {
	struct timeout_ring ring;
	k_ticks_t first; /* no timeout in it is due before */
};

static struct slot slots[LEVELS * SLOTS + 1U]; /* a slot's links hold once it is marked */

static struct {
	k_ticks_t base;     /* everything before it has expired */
	k_ticks_t alarm;    /* what the clock is set to; the base during timeout_announce() */
	unsigned int next;  /* the slot that the alarm is for */
	bool announcing;
	uint32_t marked[LEVELS * SLOTS / WORD_BITS + 1U]; /* the last one: NOWHERE */
} wheel ARCH_NEAR;

/*
 * How far ahead of the base a timeout may lie: beyond, its highest digit would come round to
 * the base's. Waits reach 2^31; the rest is for the time that the base lags behind the clock.
 */
#define REACH (15U << 28)

static inline k_ticks_t ahead(k_ticks_t tick)
{
	return tick - wheel.base;
}

static inline unsigned int index_of(k_ticks_t when)
{
	unsigned int shift = highest_digit(when ^ wheel.base) * DIGIT_BITS;

	return shift * (SLOTS / DIGIT_BITS) + ((when >> shift) & (SLOTS - 1U));
}

/* The first tick of a slot. */
static k_ticks_t slot_start(unsigned int index)
{
	unsigned int shift = index / SLOTS * DIGIT_BITS;
	k_ticks_t above = wheel.base >> shift & ~(SLOTS - 1U);

	return (above | (index & (SLOTS - 1U))) << shift;
}

static inline bool slot_is_empty(unsigned int index)
{
	return slots[index].ring.next == &slots[index].ring;
}

static inline void slot_unmark(unsigned int index)
{
	wheel.marked[index / WORD_BITS] &= ~(1U << (index % WORD_BITS));
}

static inline struct timeout *timeout_of(struct timeout_ring *ring)
{
	return CONTAINER_OF(ring, struct timeout, ring);
}

static inline void ring_add(struct timeout_ring *ring, struct timeout_ring *prev,
			    struct timeout_ring *next)
{
	ring->prev = prev;
	ring->next = next;
	prev->next = ring;
	next->prev = ring;
}

static inline void ring_remove(struct timeout_ring *ring)
{
	ring->prev->next = ring->next;
	ring->next->prev = ring->prev;
}

/*
 * Put `timeout` into the slot: as the last, or as the first. True if the slot's `first`
 * is now its time.
 */
static inline bool slot_add(unsigned int index, struct timeout *timeout, k_ticks_t when,
			    bool as_last)
{
	struct slot *slot = &slots[index];
	uint32_t *word = &wheel.marked[index / WORD_BITS];
	uint32_t bit = 1U << (index % WORD_BITS);
	uint32_t marked = *word;

	K_ASSERT(ahead(when) <= REACH, "timeout-in-the-past");
	timeout->when = when;
	if ((marked & bit) == 0) {
		*word = marked | bit;
		ring_add(&timeout->ring, &slot->ring, &slot->ring);
	} else {
		if (as_last) {
			ring_add(&timeout->ring, slot->ring.prev, &slot->ring);
		} else {
			ring_add(&timeout->ring, &slot->ring, slot->ring.next);
		}
		if (ahead(when) >= ahead(slot->first)) {
			return false;
		}
	}
	slot->first = when;
	return true;
}

/* The ticks from now until `tick`; 0 if it is overdue. */
static k_ticks_t ticks_until(k_ticks_t tick, k_ticks_t now)
{
	return ahead(tick) > ahead(now) ? tick - now : 0;
}

static __noinline void set_alarm(unsigned int index, k_ticks_t tick)
{
	wheel.next = index;
	wheel.alarm = tick;
	clock_alarm(ticks_until(tick, clock_latest()));
}

static inline void wheel_add(struct timeout *timeout, k_ticks_t when)
{
	unsigned int index = index_of(when);

	if (slot_add(index, timeout, when, true) && ahead(when) < ahead(wheel.alarm)) {
		set_alarm(index, when);
	}
}

k_ticks_t timeout_deadline(k_timeout_t timeout)
{
	return clock_ticks() + timeout.ticks + 1;
}

void timeout_add(struct timeout *timeout, k_ticks_t when)
{
	wheel_add(timeout, when);
}

/* The first in its tick to ask what time it is. */
static __noinline void add_in_new_tick(struct timeout *timeout, k_ticks_t ticks)
{
	timeout_add(timeout, clock_ticks() + ticks);
}

/* Calls nobody unless last, so that it saves no register. */
void timeout_add_in(struct timeout *timeout, k_ticks_t ticks)
{
	if (unlikely(clock_is_behind())) {
		add_in_new_tick(timeout, ticks);
		return;
	}
	wheel_add(timeout, clock_latest() + ticks);
}

void timeout_add_first(struct timeout *timeout, k_ticks_t when)
{
	K_ASSERT(wheel.announcing && when != wheel.base, "not-while-announcing");
	(void)slot_add(index_of(when), timeout, when, false);
}

/* Goes through the ring of the slot that expires, and is no timeout. Announcements don't nest. */
static struct timeout_ring mark;

struct timeout *timeout_neighbour(k_ticks_t when, const struct timeout *timeout)
{
	unsigned int index = index_of(when);
	struct timeout_ring *next;

	if ((wheel.marked[index / WORD_BITS] & 1U << (index % WORD_BITS)) == 0) {
		return NULL;
	}
	next = timeout == NULL ? slots[index].ring.next : timeout->ring.next;
	if (next == &mark) {
		next = mark.next;
	}
	return next == &slots[index].ring ? NULL : timeout_of(next);
}

k_ticks_t timeout_remaining(const struct timeout *timeout)
{
	return ticks_until(timeout->when, clock_ticks());
}

/* The slot of the highest level that comes first: its digits may go round. */
static unsigned int earliest_of_top(void)
{
	uint32_t marked = wheel.marked[TOP / WORD_BITS] >> (TOP % WORD_BITS);
	unsigned int here = wheel.base >> (32U - DIGIT_BITS);
	uint32_t twice = marked * (1U | (1U << SLOTS));

	return TOP + (here + lowest_bit(twice >> here)) % SLOTS;
}

/* The earliest slot that is marked, or NOWHERE. */
static inline unsigned int earliest_marked(void)
{
	unsigned int word = 0;
	unsigned int index;

	/* Bound: the words; NOWHERE's, which is the last one, is never 0. */
	while (wheel.marked[word] == 0) {
		word++;
	}
	index = word * WORD_BITS + lowest_bit(wheel.marked[word]);
	return index < TOP || index == NOWHERE ? index : earliest_of_top();
}

/*
 * Unmark empty slots, beginning with this one, until the earliest is none of them. Interrupts
 * are let in.
 */
static __noinline unsigned int earliest_after(unsigned int index)
{
	do { /* Bound: the slots that ran empty by cancelling since the last time. */
		slot_unmark(index);
		arch_isr_window();
		index = earliest_marked();
	} while (index != NOWHERE && slot_is_empty(index));
	return index;
}

/* The same beginning with the highest level, or with NOWHERE. */
static __noinline unsigned int earliest_above(void)
{
	unsigned int index = earliest_marked();

	return index != NOWHERE && slot_is_empty(index) ? earliest_after(index) : index;
}

/*
 * The earliest slot that is not empty, or NOWHERE. It calls nobody unless last, so that it
 * saves no register.
 */
static __noinline unsigned int earliest(void)
{
	const uint32_t *word = &wheel.marked[0];
	unsigned int index;

	/* Bound: the words; NOWHERE's, which is the last one, is never 0. */
	while (*word == 0) {
		word++;
	}
	index = (unsigned int)(word - wheel.marked) * WORD_BITS + lowest_bit(*word);
	if (unlikely(index >= TOP)) {
		return earliest_above();
	}
	return likely(!slot_is_empty(index)) ? index : earliest_after(index);
}

/* The base comes to a tick, at which nothing is pending but in the slot that it is in. */
static inline void base_to(k_ticks_t tick)
{
	wheel.base = tick;
	wheel.alarm = tick;
}

/*
 * Expire what is due at the slot's `first`. A mark goes through the ring: callers of
 * timeout_cancel() may take out its neighbours while interrupts are let in, and what they
 * arm joins the end.
 */
static void slot_expire(struct slot *slot)
{
	k_ticks_t due = slot->first;
	struct timeout_ring *ring;

	ring_add(&mark, &slot->ring, slot->ring.next);
	/* Bound: the timeouts in the slot; interrupts are let in after each. */
	while ((ring = mark.next) != &slot->ring) {
		struct timeout *timeout = timeout_of(ring);

		if (timeout->when == due) {
			ring_remove(ring);
			timeout->expire(timeout);
		} else {
			ring_remove(&mark);
			ring_add(&mark, ring, ring->next);
		}
		arch_isr_window();
	}
	ring_remove(&mark);
}

/*
 * Move down what is left in a slot that is no longer marked, the last one first, each
 * before what has been armed meanwhile: who came first stays first.
 */
static void slot_move_down(struct slot *slot)
{
	struct timeout_ring *ring;

	/* Bound: the timeouts in the slot; interrupts are let in after each. */
	while ((ring = slot->ring.prev) != &slot->ring) {
		struct timeout *timeout = timeout_of(ring);

		ring_remove(ring);
		(void)slot_add(index_of(timeout->when), timeout, timeout->when, false);
		arch_isr_window();
	}
}

/*
 * More than one is in the slot. One that is left alone stays where it is, and the base before
 * the slot: to move it costs more than to pass over it.
 */
static __noinline void slot_announce_many(unsigned int index)
{
	struct slot *slot = &slots[index];

	slot_expire(slot);
	if (slot->ring.next == slot->ring.prev && !slot_is_empty(index)) {
		slot->first = timeout_of(slot->ring.next)->when;
		return;
	}
	base_to(slot->first);
	slot_unmark(index);
	slot_move_down(slot);
}

/* See to `index`, the earliest slot, if its `first` has come. False: it has not. */
static inline bool slot_announce(unsigned int index, k_ticks_t now)
{
	struct slot *slot = &slots[index];
	struct timeout *timeout;

	if (ahead(slot->first) > ahead(now)) {
		return false;
	}
	timeout = timeout_of(slot->ring.next);
	if (unlikely(&timeout->ring != slot->ring.prev)) {
		slot_announce_many(index);
		return true;
	}
	slot->first = timeout->when; /* it is alone */
	if (likely(ahead(timeout->when) <= ahead(now))) {
		base_to(timeout->when);
		slot_unmark(index);
		timeout->expire(timeout);
		arch_isr_window();
	}
	return true;
}

/* All that is due has expired: the base comes to `now`, but into no slot. */
static void base_follow(unsigned int index, k_ticks_t now)
{
	if (index != NOWHERE) {
		k_ticks_t start = slot_start(index);

		if (ahead(start) <= ahead(now)) {
			now = start - 1U;
		}
	}
	wheel.base = now;
}

void timeout_announce(k_ticks_t now)
{
	unsigned int index = wheel.next;

	if (wheel.announcing) {
		return; /* let in below; the outer call sees to it */
	}
	wheel.announcing = true;
	wheel.alarm = wheel.base; /* nobody else sets the alarm meanwhile */
	if (slot_is_empty(index)) {
		index = earliest();
	}
	/* Bound: the slots with timeouts that are due, and each level once. */
	while (index != NOWHERE && slot_announce(index, now)) {
		index = earliest();
	}
	if (now != wheel.base) {
		base_follow(index, now);
	}
	wheel.announcing = false;
	set_alarm(index, index == NOWHERE ? now + K_TICKS_MAX / 2 : slots[index].first);
}

void timeout_init(void)
{
	slots[NOWHERE].ring = (struct timeout_ring){&slots[NOWHERE].ring, &slots[NOWHERE].ring};
	wheel.marked[NOWHERE / WORD_BITS] = 1U;
	wheel.next = NOWHERE;
	wheel.base = clock_ticks();
	timeout_announce(wheel.base);
}
