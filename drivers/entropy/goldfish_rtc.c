/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock of QEMU's virt machine: nanoseconds since 1970 on the computer's own clock.
 * Nobody knows their lower bits of a boot, though who knows about when it was has fewer
 * to guess: some 20 bits if to the millisecond.
 */
#include <board.h>
#include "drivers/entropy.h"

bool entropy_get(uint32_t *word)
{
	*word = *(volatile uint32_t *)BOARD_RTC_BASE; /* the low half of the time */
	return true;
}
