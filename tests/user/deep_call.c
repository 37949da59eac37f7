/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A system call that uses up the stack it runs on: in a file of its own, since who calls it has to be told
 * from it by the linker.
 */
#include <foliot/kernel_mode.h>
#include "own_calls.h"

volatile bool own_is_at_bottom;

static void at_bottom(enum own_bottom then)
{
	own_is_at_bottom = true;
	if (then == OWN_SWITCHES) {
		k_yield();
	}
	/* Bound: the test's alarm. */
	while (then == OWN_IS_PREEMPTED && own_is_at_bottom) {
	}
}

static __attribute__((noipa)) int deeper(uintptr_t end, enum own_bottom then)
{
	volatile char here[48];

	here[0] = 1;
	if ((uintptr_t)here < end) {
		at_bottom(then);
		return here[0];
	}
	return deeper(end, then) + here[0];
}

int own_deep(int left, enum own_bottom then)
{
	uintptr_t lowest = (uintptr_t)k_current_get()->stack_start - ARCH_USER_STACK_RESERVED;

	/* So that the bottom moves by less than a frame of deeper(). */
	volatile char *moves = __builtin_alloca(1U + (size_t)(left > 0 ? left : 0) % 96U);

	own_is_at_bottom = false;
	return deeper(lowest + (uintptr_t)(left > 0 ? left : 0), then) + (moves == NULL ? 1 : 0);
}

int verify_own_deep(int left, enum own_bottom then);
int verify_own_deep(int left, enum own_bottom then)
{
	return own_deep(left, then);
}
