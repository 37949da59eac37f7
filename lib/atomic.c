/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomic operations of a core that has no instructions for them, as one function: user mode's way.
 */
#include <zephyr/sys/atomic.h>

atomic_val_t k_atomic_update_(atomic_t *target, atomic_val_t value, unsigned int operation,
			      atomic_val_t expected)
{
	return atomic_masked_(target, value, operation, expected);
}
