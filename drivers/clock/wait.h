/* SPDX-License-Identifier: Apache-2.0 */
/* The bounded wait that all clocks have in common. */
#ifndef FOLIOT_DRIVERS_CLOCK_WAIT_H
#define FOLIOT_DRIVERS_CLOCK_WAIT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Some tens of milliseconds by the slowest clock after reset; a crystal takes one or two, a PLL
 * less.
 */
#define CLOCK_WAIT_ROUNDS 100000U

/* Whether the bits `mask` of a register come to be `value` in time. */
static inline bool clock_wait(uintptr_t address, uint32_t mask, uint32_t value)
{
	/* Bound: CLOCK_WAIT_ROUNDS. */
	for (unsigned int i = 0; i < CLOCK_WAIT_ROUNDS; i++) {
		if ((*(volatile uint32_t *)address & mask) == value) {
			return true;
		}
	}
	return false;
}

#endif /* FOLIOT_DRIVERS_CLOCK_WAIT_H */
