/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of the timeout wheel, which timeout.c explains, as far as adding to it goes: that
 * is inline in what blocks with a time-out. Interrupts masked throughout.
 */
#ifndef FOLIOT_KERNEL_WHEEL_H
#define FOLIOT_KERNEL_WHEEL_H

#include "kernel/base/kernel.h"
#include "kernel/time/arithmetic.h"

#define SLOTS     (1U << DIGIT_BITS)
#define TICK_BITS (8U * sizeof(timeout_tick_t))
#define LEVELS    (TICK_BITS / DIGIT_BITS)
#define WORD_BITS 32U
#define NOWHERE   (LEVELS * SLOTS) /* a slot that is always empty */

struct slot {
	struct timeout_ring ring;
	timeout_tick_t first; /* no timeout in it is due before */
};
extern struct slot timeout_slots[LEVELS * SLOTS + 1U]; /* links hold once a slot is marked */

struct wheel {
	uint32_t marked[LEVELS * SLOTS / WORD_BITS + 1U]; /* the last one, NOWHERE's, is idle */
	timeout_tick_t base;          /* everything before it has expired */
	timeout_tick_t alarm; /* what the clock is set to; while timeouts expire, their tick */
	struct slot *next; /* the earliest slot, as of the last search: the alarm's */
	unsigned int next_index; /* its number */
	bool announcing;
};
extern struct wheel wheel ARCH_NEAR;

/*
 * How far ahead of the base a timeout may lie: beyond, its highest digit would come round to
 * the base's. Waits reach half of that; the rest is for the time that the base lags behind the
 * clock.
 */
#define REACH ((timeout_tick_t)15 << (TICK_BITS - DIGIT_BITS))

/*@ assigns \nothing;
  @ ensures \result == (timeout_tick_t)(tick - wheel.base);
  @*/
static inline timeout_tick_t ahead(timeout_tick_t tick)
{
	return tick - wheel.base;
}

/* highest_digit() of a tick, of whatever size. */
/*@ assigns \nothing;
  @ ensures is_digit_of(\result, word);
  @*/
static inline unsigned int tick_highest_digit(timeout_tick_t word)
{
	uint32_t upper = (uint32_t)((uint64_t)word >> 32);

	return upper != 0 ? 8U + highest_digit(upper) : highest_digit((uint32_t)word);
}

/* The slot for `when`, were the base at `base`. */
/*@ assigns \nothing;
  @ ensures \result < LEVELS * SLOTS;
  @ ensures \exists integer digit; is_digit_of(digit, (timeout_tick_t)(when ^ base)) &&
  @   \result == digit * SLOTS + (unsigned int)(when >> (digit * DIGIT_BITS)) % SLOTS;
  @*/
static inline unsigned int index_from(timeout_tick_t base, timeout_tick_t when)
{
	unsigned int digit = tick_highest_digit(when ^ base);

	OPAQUE(digit);
	return digit * SLOTS + ((unsigned int)(when >> (digit * DIGIT_BITS)) & (SLOTS - 1U));
}

/*@ assigns \nothing;
  @ ensures \result < LEVELS * SLOTS;
  @*/
static inline unsigned int index_of(timeout_tick_t when)
{
	return index_from(wheel.base, when);
}

/*@ requires \valid(ring) && \valid(prev) && \valid(next);
  @ requires \separated(ring, prev) && \separated(ring, next);
  @ assigns ring->prev, ring->next, prev->next, next->prev;
  @ ensures ring->prev == prev && ring->next == next;
  @ ensures prev->next == ring && next->prev == ring;
  @*/
static inline void ring_add(struct timeout_ring *ring, struct timeout_ring *prev,
			    struct timeout_ring *next)
{
	ring->prev = prev;
	ring->next = next;
	prev->next = ring;
	next->prev = ring;
}

/*
 * Put `timeout` into a slot: as the last, or as the first. Returns the slot's number if no
 * other in it is due as early, else -1.
 */
static inline int wheel_put(struct timeout *timeout, timeout_tick_t when, unsigned int index,
			    bool as_last)
{
	struct slot *slot = &timeout_slots[index];
	uint32_t *word = &wheel.marked[index / WORD_BITS];
	uint32_t bit = 1U << (index % WORD_BITS);
	uint32_t marked = *word;

	OPAQUE(slot); /* or it is computed twice, and registers have to be saved for that */
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
		if (likely(ahead(when) >= ahead(slot->first))) {
			return -1;
		}
	}
	slot->first = when;
	return (int)index;
}

/* See timeout.h. */
static inline int timeout_link(struct timeout *timeout, timeout_tick_t when)
{
	int index = wheel_put(timeout, when, index_of(when), true);

	return index >= 0 && ahead(when) < ahead(wheel.alarm) ? index : -1;
}

#endif /* FOLIOT_KERNEL_WHEEL_H */
