/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What has to be written once before a chip's devices work: their own clocks, the functions of
 * pins. It is the board's table BOARD_SETUP, of {address, bits to clear, bits to set}, so that it
 * needs no code.
 */
#ifndef FOLIOT_DRIVERS_SETUP_H
#define FOLIOT_DRIVERS_SETUP_H

#include <board.h>

#ifdef BOARD_SETUP
/* Write the table in its order. At boot, after clock_start(). */
void setup_registers(void);
#else
static inline void setup_registers(void)
{
}
#endif

#endif /* FOLIOT_DRIVERS_SETUP_H */
