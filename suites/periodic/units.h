/* SPDX-License-Identifier: Apache-2.0 */
/* Between the board's unit, cycles or instructions, and the kernel's ticks. */
#ifndef PERIODIC_UNITS_H
#define PERIODIC_UNITS_H

#include <board.h>
#include <foliot/time.h>

/* So many units in ticks, rounded down. */
#define UNITS_TO_TICKS(units)                                                               \
	((uint32_t)((uint64_t)(units) * CONFIG_SYS_CLOCK_TICKS_PER_SEC * BOARD_CYCLES_NUM / \
		    ((uint64_t)BOARD_CLOCK_HZ * BOARD_CYCLES_DEN)))

#endif /* PERIODIC_UNITS_H */
