/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timeout wheel: insertion and cancellation in constant time, tickless.
 *
 * Eight levels of 16 slots, a hexadecimal digit of the 32-bit tick each. A timeout
 * lies at the level of the highest digit in which its time differs from wheel.base,
 * in the slot of its own digit there. When the base comes to a slot of a higher
 * level, the slot's timeouts move down (at most seven times in a timeout's life); in
 * level 0 they are due. Within a tick, first come, first served.
 *
 * Two properties carry the code. While the base advances without passing a pending
 * slot, no timeout's place changes, so a timeout's slot can be computed again when it
 * is cancelled and need not be stored. And the lowest level in use holds the earliest
 * timeout. Ticks wrap, so they are compared by how far they lie ahead of the base, which
 * no pending one has passed: nothing is ever "behind". Rejected: a sorted list (insertion grows with the number of sleepers); a
 * wheel of one level (a tick must skip over timeouts of later rounds).
 */
#include "kernel/time/timeout.h"
#include "kernel/time/clock.h"
#include "kernel/core/kernel.h"

#define DIGIT_BITS 4U
#define SLOTS      (1U << DIGIT_BITS)
#define LEVELS     (32U / DIGIT_BITS)

static struct {
	k_ticks_t base;             /* everything before it has expired */
	k_ticks_t alarm;            /* what the clock is set to */
	uint32_t levels;            /* bit n: level n is in use */
	uint16_t slots[LEVELS];     /* bit n: slot n is in use */
	struct timeout *slot[LEVELS][SLOTS];
	struct timeout *draining;   /* taken out of its slot, being expired or moved */
	bool announcing;
} wheel;

/*
 * How far ahead of the base a timeout may lie: beyond, its highest digit would come round to
 * the base's. Waits reach 2^31; the rest is for the time that the base lags behind the clock.
 */
#define REACH (15U << 28)

static unsigned int digit(k_ticks_t tick, unsigned int level)
{
	return (tick >> (level * DIGIT_BITS)) & (SLOTS - 1);
}

static unsigned int level_of(k_ticks_t when)
{
	k_ticks_t differs = when ^ wheel.base;

	return differs == 0 ? 0 : (31U - (unsigned int)__builtin_clz(differs)) / DIGIT_BITS;
}

static void list_append(struct timeout **head, struct timeout *timeout)
{
	struct timeout *first = *head;

	if (first == NULL) {
		*head = timeout;
		timeout->next = timeout;
		timeout->prev = timeout;
		return;
	}
	timeout->next = first;
	timeout->prev = first->prev;
	first->prev->next = timeout;
	first->prev = timeout;
}

/* Returns true if the list is empty now. */
static bool list_remove(struct timeout **head, struct timeout *timeout)
{
	if (timeout->next == timeout) {
		*head = NULL;
		return true;
	}
	timeout->prev->next = timeout->next;
	timeout->next->prev = timeout->prev;
	if (*head == timeout) {
		*head = timeout->next;
	}
	return false;
}

static void slot_emptied(unsigned int level, unsigned int index)
{
	wheel.slots[level] &= (uint16_t)~(1U << index);
	if (wheel.slots[level] == 0) {
		wheel.levels &= ~(1U << level);
	}
}

static void wheel_insert(struct timeout *timeout)
{
	unsigned int level = level_of(timeout->when);
	unsigned int index = digit(timeout->when, level);

	list_append(&wheel.slot[level][index], timeout);
	wheel.slots[level] |= (uint16_t)(1U << index);
	wheel.levels |= 1U << level;
}

/* The earliest slot in use, and its first tick. The wheel is not empty. */
static k_ticks_t wheel_earliest(unsigned int *level_out, unsigned int *index_out)
{
	unsigned int level = (unsigned int)__builtin_ctz(wheel.levels);
	unsigned int here = digit(wheel.base, level);
	unsigned int twice = wheel.slots[level] * (1U | (1U << SLOTS));
	unsigned int ahead = (unsigned int)__builtin_ctz(twice >> here);
	unsigned int shift = level * DIGIT_BITS;

	*level_out = level;
	*index_out = (here + ahead) % SLOTS;
	return ((wheel.base >> shift) + ahead) << shift;
}

/*
 * When to look at a slot that begins at `start`: a timeout alone in it saves the look at
 * its start.
 */
static k_ticks_t slot_alarm(unsigned int level, unsigned int index, k_ticks_t start)
{
	const struct timeout *first = wheel.slot[level][index];

	return first->next == first ? first->when : start;
}

/* The ticks from now until `tick`; 0 if it is overdue. */
static k_ticks_t ticks_until(k_ticks_t tick)
{
	k_ticks_t now = clock_ticks();

	return tick - wheel.base > now - wheel.base ? tick - now : 0;
}

static void set_alarm(k_ticks_t tick)
{
	wheel.alarm = tick;
	clock_alarm(ticks_until(tick));
}

k_ticks_t timeout_deadline(k_timeout_t timeout)
{
	return clock_ticks() + timeout.ticks + 1;
}

k_ticks_t timeout_after(k_timeout_t duration)
{
	return clock_ticks() + MAX(duration.ticks, 1U);
}

void timeout_add(struct timeout *timeout, k_ticks_t when)
{
	K_ASSERT(when - wheel.base <= REACH, "timeout-in-the-past");
	timeout->when = when;
	wheel_insert(timeout);
	if (!wheel.announcing && when - wheel.base < wheel.alarm - wheel.base) {
		set_alarm(when);
	}
}

void timeout_add_first(struct timeout *timeout, k_ticks_t when)
{
	unsigned int level = level_of(when);
	unsigned int index = digit(when, level);

	K_ASSERT(wheel.announcing && when != wheel.base && when - wheel.base <= REACH,
		 "not-while-announcing");
	timeout->when = when;
	list_append(&wheel.slot[level][index], timeout);
	wheel.slot[level][index] = timeout; /* turns the ring by one */
	wheel.slots[level] |= (uint16_t)(1U << index);
	wheel.levels |= 1U << level;
}

void timeout_cancel(struct timeout *timeout)
{
	unsigned int level;
	unsigned int index;

	if (wheel.draining == timeout) {
		(void)list_remove(&wheel.draining, timeout);
		return;
	}
	level = level_of(timeout->when);
	index = digit(timeout->when, level);
	if (list_remove(&wheel.slot[level][index], timeout)) {
		slot_emptied(level, index);
	}
}

struct timeout *timeout_neighbours(k_ticks_t when)
{
	unsigned int level = level_of(when);

	return wheel.slot[level][digit(when, level)];
}

k_ticks_t timeout_remaining(const struct timeout *timeout)
{
	return ticks_until(timeout->when);
}

/*
 * Expire the slot that was taken out of level 0; one of a higher level moves down as a
 * whole, also what is due: else it would overtake what was armed before it.
 */
static void drain(unsigned int level)
{
	struct timeout *timeout;

	/* Bound: the timeouts in that slot; interrupts are let in after each. */
	while ((timeout = wheel.draining) != NULL) {
		(void)list_remove(&wheel.draining, timeout);
		if (level == 0) {
			timeout->expire(timeout);
		} else {
			wheel_insert(timeout);
		}
		arch_isr_window();
	}
}

void timeout_announce(k_ticks_t now)
{
	k_ticks_t alarm = now + K_TICKS_MAX / 2;

	if (wheel.announcing) {
		return; /* let in by drain(); the outer call sees to it */
	}
	wheel.announcing = true;
	/* Bound: the slots in use up to now, at most LEVELS * SLOTS. */
	while (wheel.levels != 0) {
		unsigned int level;
		unsigned int index;
		k_ticks_t start = wheel_earliest(&level, &index);

		if (start - wheel.base > now - wheel.base) {
			alarm = slot_alarm(level, index, start);
			break;
		}
		wheel.base = start;
		wheel.draining = wheel.slot[level][index];
		wheel.slot[level][index] = NULL;
		slot_emptied(level, index);
		drain(level);
	}
	wheel.base = now;
	wheel.announcing = false;
	set_alarm(alarm);
}
