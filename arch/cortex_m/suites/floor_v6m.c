/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An ARMv6-M core may have no way to be told of other vectors (an nRF51's has none), so the floor's
 * own stand in the image's from the beginning: floor_v6m.S. The kernel does without them: nothing
 * in this suite waits, so it never switches threads behind an interrupt.
 */
#include "suites/floor/floor.h"

void floor_vectors_take(enum floor_exit how)
{
}

void floor_vectors_return(void)
{
}

void floor_request_switch(void)
{
	ARCH_ICSR = ARCH_ICSR_PENDSV;
}
