/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The BCM2835's random number generator. Its first numbers are left out, as many as the device is
 * told to.
 */
#include "drivers/entropy.h"
#include <board.h>

#define REG(n)     (*(volatile uint32_t *)(BOARD_RNG_BASE + (n)))
#define RNG_CTRL   REG(0x0UL)
#define RNG_STATUS REG(0x4UL)
#define RNG_DATA   REG(0x8UL)

#define ENABLE     1U
#define LEFT_OUT   0x40000U
#define COUNT(n)   ((n) >> 24)
#define MAX_ROUNDS 1000000U /* far longer than it takes */

bool entropy_get(uint32_t *word)
{
	RNG_STATUS = LEFT_OUT;
	RNG_CTRL = ENABLE;
	for (unsigned int i = 0; i < MAX_ROUNDS; i++) {
		if (COUNT(RNG_STATUS) != 0) {
			*word = RNG_DATA;
			return true;
		}
	}
	return false;
}
