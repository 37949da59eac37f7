/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a chip has to be told of its supply before anything else, RAM included: a board whose chip
 * wants it names the header that does it (BOARD_SUPPLY). It runs as the first thing after a reset,
 * in registers alone.
 *
 *   supply_start()    tell it, and wait, bounded, until the core's voltage is what was asked for
 *   supply_settled()  whether it came to be. Context: either
 *   SUPPLY_BEFORE     of the function that goes on, and is jumped to: a call, or what it needs of
 *                     registers, would be saved on a stack before supply_start()
 */
#ifndef FOLIOT_DRIVERS_SUPPLY_H
#define FOLIOT_DRIVERS_SUPPLY_H

#include <board.h>

#ifdef BOARD_SUPPLY
#include BOARD_SUPPLY
#define SUPPLY_BEFORE __attribute__((noipa))
#else
#define SUPPLY_BEFORE inline

static inline void supply_start(void)
{
}

#endif /* BOARD_SUPPLY */

#endif /* FOLIOT_DRIVERS_SUPPLY_H */
