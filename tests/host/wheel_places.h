/* SPDX-License-Identifier: Apache-2.0 */
/* The timeout wheel from within: what timeout.c says of itself, looked at between steps. */
#ifndef WHEEL_PLACES_H
#define WHEEL_PLACES_H

#include <stdbool.h>
#include <foliot/kernel.h>

/*
 * Whether each timeout that is pending lies in the ring of its slot, that one is marked and not
 * due later, and the alarm is no later than any. Not while they expire; interrupts masked.
 */
bool wheel_places_hold(const struct timeout *timeouts, const bool *pending, int number);

/*
 * Whether the level of a timeout is found as well by comparisons as by the instruction that
 * there is for it here: around each power of two.
 */
bool wheel_digits_are_found(void);

#endif /* WHEEL_PLACES_H */
