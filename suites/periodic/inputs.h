/* SPDX-License-Identifier: Apache-2.0 */
/* The board's input pins, by which `foliot scope` says what one image is to do. */
#ifndef PERIODIC_INPUTS_H
#define PERIODIC_INPUTS_H

#include <stdint.h>
#include <board.h>

#ifdef BOARD_INPUTS
static inline unsigned int inputs(void)
{
	return *(volatile uint32_t *)BOARD_INPUTS & 0xFFU;
}
#else
static inline unsigned int inputs(void)
{
	return 0;
}
#endif

#endif /* PERIODIC_INPUTS_H */
