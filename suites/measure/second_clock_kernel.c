/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's own timer, where it is another counter than the one that measures. */
#include <foliot/kernel.h>
#include "second_clock.h"

const uint32_t second_clock_mask = UINT32_MAX;

uint32_t second_clock_start(void)
{
	return sys_clock_hw_cycles_per_sec();
}

uint32_t second_clock_read(void)
{
	return k_cycle_get_32();
}

void second_clock_stop(void)
{
}
