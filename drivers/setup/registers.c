/* SPDX-License-Identifier: Apache-2.0 */
/* The board's table, written: see drivers/setup.h. */
#include <stdint.h>
#include <foliot/util.h>
#include "drivers/setup.h"

static const struct {
	uintptr_t address;
	uint32_t clear;
	uint32_t set;
} writes[] = {BOARD_SETUP};

void setup_registers(void)
{
	/* Bound: the table. */
	for (size_t i = 0; i < ARRAY_SIZE(writes); i++) {
		volatile uint32_t *place = (volatile uint32_t *)writes[i].address;

		*place = (*place & ~writes[i].clear) | writes[i].set;
	}
}
