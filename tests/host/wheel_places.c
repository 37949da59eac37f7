/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "kernel/time/wheel.h"
#include "wheel_places.h"

/* In the ring of its slot, which is marked and no earlier than the slot's first. */
static bool in_its_slot(const struct timeout *timeout, int most)
{
	unsigned int index = index_of(timeout->when);
	const struct slot *slot = &timeout_slots[index];
	const struct timeout_ring *ring = slot->ring.next;

	if ((wheel.marked[index / WORD_BITS] & BIT(index % WORD_BITS)) == 0 ||
	    ahead(slot->first) > ahead(timeout->when)) {
		return false;
	}
	for (int i = 0; i < most && ring != &slot->ring; i++) {
		if (ring == &timeout->ring) {
			return true;
		}
		ring = ring->next;
	}
	return false;
}

bool wheel_places_hold(const struct timeout *timeouts, const bool *pending, int number)
{
	for (int id = 0; id < number; id++) {
		const struct timeout *timeout = &timeouts[id];

		if (pending[id] &&
		    (ahead(timeout->when) > REACH || ahead(wheel.alarm) > ahead(timeout->when) ||
		     !in_its_slot(timeout, number))) {
			printf("%d, until %llx, is not in its place; base %llx, alarm %llx\n", id,
			       (unsigned long long)timeout->when, (unsigned long long)wheel.base,
			       (unsigned long long)wheel.alarm);
			return false;
		}
	}
	return !wheel.announcing;
}

bool wheel_digits_are_found(void)
{
	for (int i = 0; i < 32; i++) {
		for (uint32_t word = BIT(i) - 1U; word != BIT(i) + 2U; word++) {
			if (highest_digit_by_hand(word) != highest_digit(word)) {
				printf("FAIL highest digit of %x\n", word);
				return false;
			}
		}
	}
	return true;
}
