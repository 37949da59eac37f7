/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of the timeout wheel, which timeout.c explains, as far as adding to it goes: that
 * is inline in what blocks with a time-out. Interrupts masked throughout.
 */
#ifndef FOLIOT_KERNEL_WHEEL_H
#define FOLIOT_KERNEL_WHEEL_H

#include "kernel/core/kernel.h"
#include "kernel/time/arithmetic.h"

#define SLOTS     (1U << DIGIT_BITS)
#define LEVELS    (32U / DIGIT_BITS)
#define WORD_BITS 32U
#define NOWHERE   (LEVELS * SLOTS) /* a slot that is always empty */

struct slot {
	struct timeout_ring ring;
	k_ticks_t first; /* no timeout in it is due before */
};
extern struct slot timeout_slots[LEVELS * SLOTS + 1U]; /* links hold once a slot is marked */

struct wheel {
	uint32_t marked[LEVELS * SLOTS / WORD_BITS + 1U]; /* the last one, NOWHERE's, is idle */
	k_ticks_t base;          /* everything before it has expired */
	k_ticks_t alarm;         /* what the clock is set to; while timeouts expire, their tick */
	struct slot *next;       /* the earliest slot, as of the last search: the alarm's */
	unsigned int next_index; /* its number */
	bool announcing;
};
extern struct wheel wheel ARCH_NEAR;

/*
 * How far ahead of the base a timeout may lie: beyond, its highest digit would come round to
 * the base's. Waits reach 2^31; the rest is for the time that the base lags behind the clock.
 */
#define REACH (15U << 28)

static inline k_ticks_t ahead(k_ticks_t tick)
{
	return tick - wheel.base;
}

/* The slot for `when`, were the base at `base`. */
static inline unsigned int index_from(k_ticks_t base, k_ticks_t when)
{
	unsigned int digit = highest_digit(when ^ base);

	OPAQUE(digit);
	return digit * SLOTS + ((when >> (digit * DIGIT_BITS)) & (SLOTS - 1U));
}

static inline unsigned int index_of(k_ticks_t when)
{
	return index_from(wheel.base, when);
}

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
static inline int wheel_put(struct timeout *timeout, k_ticks_t when, unsigned int index,
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
static inline int timeout_link(struct timeout *timeout, k_ticks_t when)
{
	int index = wheel_put(timeout, when, index_of(when), true);

	return index >= 0 && ahead(when) < ahead(wheel.alarm) ? index : -1;
}

#endif /* FOLIOT_KERNEL_WHEEL_H */
