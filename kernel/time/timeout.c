/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timeout wheel: insertion and cancellation in constant time, tickless.
 *
 * Eight levels of 16 slots, a hexadecimal digit of the 32-bit tick each (sixteen where ticks have
 * 64 bits: CONFIG_TIMEOUT_64BIT). A timeout lies at
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
 * The alarm's interrupt most often finds one timeout alone in that slot, or none, and nothing
 * more: that goes straight through functions that end in a call of the next, and save no
 * register but what one needs over the call of expire(). All else is announce_more()'s.
 *
 * Ticks wrap, so they are compared by how far they lie ahead of the base, which no pending
 * one has passed: nothing is ever "behind". Rejected: a sorted list (insertion grows with the
 * number of sleepers); a wheel of one level (a tick must skip over timeouts of later rounds);
 * unmarking when a timeout is cancelled, which costs as much again as the cancelling, each
 * time, to spare a later interrupt the same; an alarm at a slot's beginning, to move down
 * what is in it then (an interrupt that expires nothing, and moves what will be cancelled).
 */
#include "kernel/time/timeout.h"
#include "kernel/time/wheel.h"
#include "kernel/time/clock.h"
#include "kernel/base/kernel.h"
#include "lib/bits.h"

#define TOP (NOWHERE - SLOTS) /* the first slot of the highest level */

struct slot timeout_slots[LEVELS * SLOTS + 1U];
struct wheel wheel ARCH_NEAR;

/*@ requires \valid_read(slot);
  @ assigns \nothing;
  @ ensures \result <==> slot->ring.next == &slot->ring;
  @*/
static inline bool slot_is_empty(const struct slot *slot)
{
	return slot->ring.next == &slot->ring;
}

static inline void slot_unmark(unsigned int index)
{
	wheel.marked[index / WORD_BITS] &= ~(1U << (index % WORD_BITS));
}

static inline struct timeout *timeout_of(struct timeout_ring *ring)
{
	return CONTAINER_OF(ring, struct timeout, ring);
}

/*@ requires \valid(ring) && \valid(ring->prev) && \valid(ring->next);
  @ requires \separated(ring, ring->prev) && \separated(ring, ring->next);
  @ requires ring->prev == ring->next || \separated(ring->prev, ring->next);
  @ assigns ring->prev->next, ring->next->prev;
  @ ensures \old(ring->prev)->next == \old(ring->next);
  @ ensures \old(ring->next)->prev == \old(ring->prev);
  @*/
static inline void ring_remove(struct timeout_ring *ring)
{
	ring->prev->next = ring->next;
	ring->next->prev = ring->prev;
}

/*
 * The ticks from now until `tick`, 0 if it is overdue: at most half of timeout_tick_t either way.
 */
/*@ assigns \nothing;
  @ ensures (timeout_tick_t)(tick - now) <= 0x80000000 ==>
  @   \result == (timeout_tick_t)(tick - now);
  @ ensures (timeout_tick_t)(tick - now) > 0x80000000 ==> \result == 0;
  @*/
static inline timeout_tick_t ticks_until(timeout_tick_t tick, timeout_tick_t now)
{
	timeout_tick_t ticks = tick - now;

	return likely((timeout_distance_t)(now - tick) < 0) ? ticks : 0;
}

/*@ assigns wheel.next, wheel.next_index;
  @ ensures wheel.next == slot && wheel.next_index == index;
  @*/
static inline void set_next(struct slot *slot, unsigned int index)
{
	wheel.next = slot;
	wheel.next_index = index;
}

static inline void set_alarm(timeout_tick_t tick)
{
	wheel.alarm = tick;
	clock_alarm(ticks_until(tick, clock_latest()));
}

static inline void move_alarm(int index, timeout_tick_t when)
{
	set_next(&timeout_slots[index], (unsigned int)index);
	set_alarm(when);
}

__noinline void timeout_alarm(int index, timeout_tick_t when)
{
	move_alarm(index, when);
}

timeout_tick_t timeout_deadline(k_timeout_t timeout)
{
	return timeout_deadline_from(clock_ticks(), timeout);
}

void timeout_add(struct timeout *timeout, timeout_tick_t when)
{
	int index = timeout_link(timeout, when);

	if (index >= 0) {
		timeout_alarm(index, when);
	}
}

/* The first in its tick to ask what time it is. */
static __noinline void start_in_new_tick(struct timeout *timeout, timeout_tick_t ticks,
					 unsigned int key)
{
	timeout_add(timeout, clock_ticks() + ticks);
	arch_irq_unlock(key);
}

/* Calls nobody unless last, so that it saves no register. */
void timeout_start(struct timeout *timeout, timeout_tick_t ticks, unsigned int key)
{
	timeout_tick_t when = clock_latest() + ticks;
	int index;

	if (unlikely(clock_is_behind())) {
		start_in_new_tick(timeout, ticks, key);
		return;
	}
	index = timeout_link(timeout, when);
	if (index >= 0) {
		__asm__ volatile("" : "+r"(index)::"memory"); /* nothing is kept for this */
		move_alarm(index, when);
	}
	arch_irq_unlock(key);
}

/* See timeout.h. What has moved down by then, if a slot is on its way, is not found. */
struct timeout *timeout_neighbour(timeout_tick_t when, const struct timeout *timeout)
{
	unsigned int index = index_of(when);
	struct timeout_ring *next;

	if ((wheel.marked[index / WORD_BITS] & 1U << (index % WORD_BITS)) == 0) {
		return NULL;
	}
	next = timeout == NULL ? timeout_slots[index].ring.next : timeout->ring.next;
	return next == &timeout_slots[index].ring ? NULL : timeout_of(next);
}

timeout_tick_t timeout_remaining(const struct timeout *timeout)
{
	return ticks_until(timeout->when, clock_ticks());
}

/* The slot of the highest level that comes first: its digits may go round. */
static unsigned int earliest_of_top(uint32_t marked)
{
	unsigned int here = (unsigned int)(wheel.base >> (TICK_BITS - DIGIT_BITS));
	uint32_t twice = marked * (1U | (1U << SLOTS));

	return TOP + (here + lowest_bit(twice >> here)) % SLOTS;
}

/* The earliest slot that is marked, or NOWHERE. */
static unsigned int earliest(void)
{
	/* Bound: NOWHERE / WORD_BITS. */
	for (unsigned int index = 0; index < NOWHERE; index += WORD_BITS) {
		uint32_t bits = wheel.marked[index / WORD_BITS];

		if (bits != 0) {
			index += lowest_bit(bits);
			return index < TOP ? index : earliest_of_top(bits >> (TOP % WORD_BITS));
		}
	}
	return NOWHERE;
}

/* The same but for the levels beyond the first six. */
static inline unsigned int earliest_low(void)
{
	uint32_t bits = wheel.marked[0];
	unsigned int index = 0;

	if (bits == 0) {
		bits = wheel.marked[1];
		index = WORD_BITS;
		if (bits == 0) {
			bits = wheel.marked[2];
			index = 2U * WORD_BITS;
			if (unlikely(bits == 0)) {
				return NOWHERE;
			}
		}
	}
	return index + lowest_bit(bits);
}
BUILD_ASSERT(TOP / WORD_BITS >= 3U, "four words of marks");

/*
 * Find the earliest slot that is not empty, or NOWHERE. What is empty on the way is unmarked,
 * and interrupts are let in.
 */
static __attribute__((noinline, cold)) struct slot *search_on(void)
{
	for (;;) { /* Bound: S, the slots that ran empty by cancelling since the last time. */
		unsigned int index = earliest();

		if (index == NOWHERE) {
			timeout_slots[NOWHERE].first = wheel.base + (timeout_tick_t)K_TICKS_MAX;
		}
		if (index == NOWHERE || !slot_is_empty(&timeout_slots[index])) {
			set_next(&timeout_slots[index], index);
			return &timeout_slots[index];
		}
		slot_unmark(index);
		arch_isr_window();
	}
}

/* The same as far as most searches go: what is found may be empty. Inline: it calls nobody. */
static inline struct slot *search(void)
{
	unsigned int index = earliest_low();
	struct slot *slot;

	OPAQUE(index); /* or its multiples are computed in several places */
	slot = &timeout_slots[index];
	set_next(slot, index);
	return slot;
}

/* The base comes to a tick, at which nothing is pending but in the slot that it is in. */
/*@ assigns wheel.base, wheel.alarm;
  @ ensures wheel.base == tick && wheel.alarm == tick;
  @*/
static inline void base_to(timeout_tick_t tick)
{
	wheel.base = tick;
	wheel.alarm = tick;
}

/* Something lies where it belongs with the base at the tick that is announced. */
static bool moved_down;

/* Put `timeout` where it belongs once the base is at the tick that is announced. */
static void move_down(struct timeout *timeout, timeout_tick_t when, bool as_last)
{
	moved_down = true;
	(void)wheel_put(timeout, when, index_from(wheel.alarm, when), as_last);
}

void timeout_add_first(struct timeout *timeout, timeout_tick_t when)
{
	K_ASSERT(wheel.announcing && when != wheel.alarm, "not-while-announcing");
	move_down(timeout, when, false);
}

/*
 * Expire what is due at the slot's `first`, and move down whatever else is in it, in the order of
 * arming. The base stays before the slot until that is done, so what is armed meanwhile
 * joins the ring's end, and goes the same way: who came first stays first. One that is left
 * alone stays where it is, and the base as well: to move it costs more than to pass over it.
 */
static void slot_go_through(struct slot *slot, unsigned int index)
{
	timeout_tick_t due = slot->first;
	struct timeout_ring *ring;

	moved_down = false;
	/* Bound: E, the timeouts in the slot; interrupts are let in after each. */
	while ((ring = slot->ring.next) != &slot->ring) {
		struct timeout *timeout = timeout_of(ring);

		if (timeout->when == due) {
			ring_remove(ring);
			timeout->expire(timeout);
		} else if (!moved_down && ring == slot->ring.prev) {
			slot->first = timeout->when;
			return;
		} else {
			ring_remove(ring);
			move_down(timeout, timeout->when, true);
		}
		arch_isr_window();
	}
	base_to(due);
	slot_unmark(index);
}

/* Expire all in a slot of the lowest level, which holds one tick. */
static void slot_expire_all(struct slot *slot)
{
	struct timeout_ring *ring;

	/* Bound: E, the timeouts in the slot; interrupts are let in after each. */
	while ((ring = slot->ring.next) != &slot->ring) {
		ring->next->prev = &slot->ring;
		slot->ring.next = ring->next;
		timeout_of(ring)->expire(timeout_of(ring));
		arch_isr_window();
	}
}

/* More than one is in the slot, as a rule. */
static __noinline void slot_announce_many(struct slot *slot, unsigned int index)
{
	wheel.alarm = slot->first;
	if (index >= SLOTS) {
		slot_go_through(slot, index);
		return;
	}
	wheel.base = wheel.alarm;
	slot_expire_all(slot);
	slot_unmark(index);
}

/* Whether the slot's `first` has come: it is at most half of timeout_tick_t ahead. */
/*@ requires \valid_read(slot);
  @ assigns \nothing;
  @ ensures \result <==> (timeout_tick_t)(now - slot->first) < 0x80000000;
  @*/
static inline bool slot_is_due(const struct slot *slot, timeout_tick_t now)
{
	return (timeout_distance_t)(now - slot->first) >= 0;
}

/* See to the earliest slot, which is not empty and whose `first` has come. */
static inline void slot_announce(struct slot *slot)
{
	struct timeout *timeout = timeout_of(slot->ring.next);

	if (unlikely(&timeout->ring != slot->ring.prev)) {
		slot_announce_many(slot, wheel.next_index);
	} else if (unlikely(timeout->when != slot->first)) {
		slot->first = timeout->when; /* it is left alone: its time may be another */
	} else {
		base_to(timeout->when);
		slot_unmark(wheel.next_index);
		timeout->expire(timeout);
		arch_isr_window();
	}
}

/*
 * Nothing more is due at `now`: the base follows, unless that is within the earliest slot,
 * which it may not enter.
 */
static inline void announce_end_inline(const struct slot *slot, timeout_tick_t now)
{
	unsigned int shift = wheel.next_index / SLOTS % LEVELS * DIGIT_BITS;
	timeout_tick_t first = slot->first;

	wheel.announcing = false;
	if (likely((now ^ first) >> shift != 0)) {
		wheel.base = now;
	}
	set_alarm(first);
}

static __attribute__((noinline, cold)) void announce_end(const struct slot *slot,
							 timeout_tick_t now)
{
	announce_end_inline(slot, now);
}

/* More than one slot is due, or what has been found is empty. */
static __attribute__((noinline, cold)) void announce_more(timeout_tick_t now)
{
	struct slot *slot;

	wheel.announcing = true;
	/* Bound: S, the slots with timeouts that are due, and each level once. */
	while (slot = search_on(), slot_is_due(slot, now)) {
		slot_announce_many(slot, wheel.next_index);
	}
	announce_end(slot, now);
}

/* Find what is next. This and what leads here calls nobody unless last: it saves no register. */
static __noinline void announce_next(timeout_tick_t now)
{
	struct slot *slot = search();

	if (unlikely(slot_is_empty(slot) || slot_is_due(slot, now))) {
		announce_more(now);
	} else {
		announce_end_inline(slot, now);
	}
}

static __noinline void announce_due(struct slot *slot, timeout_tick_t now)
{
	wheel.announcing = true;
	slot_announce(slot);
	announce_next(now);
}

void timeout_announce(timeout_tick_t now)
{
	struct slot *slot = wheel.next;

	if (unlikely(wheel.announcing)) {
		return; /* let in by the outer call, which sees to it */
	}
	if (slot_is_empty(slot)) { /* what the alarm was for has been cancelled */
		slot_unmark(wheel.next_index);
		announce_next(now);
	} else if (likely(slot_is_due(slot, now))) {
		announce_due(slot, now);
	} else {
		announce_end(slot, now);
	}
}

void timeout_init(void)
{
	struct slot *nowhere = &timeout_slots[NOWHERE];

	nowhere->ring = (struct timeout_ring){&nowhere->ring, &nowhere->ring};
	set_next(nowhere, NOWHERE);
	wheel.base = clock_ticks();
	timeout_announce(wheel.base);
}
