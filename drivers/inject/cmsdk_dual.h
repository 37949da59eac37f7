/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A counter of Arm's CMSDK dual timer, of arch_cycles()'s rate. It counts down to 0, raises its
 * line and goes on from 2^32 - 1, so what it has come to says how long ago that was.
 */
#ifndef FOLIOT_DRIVERS_INJECT_CMSDK_DUAL_H
#define FOLIOT_DRIVERS_INJECT_CMSDK_DUAL_H

#include <stdint.h>
#include <arch_inline.h>
#include <board.h>

#define INJECT_IRQ    BOARD_INJECT_IRQ
#define INJECT_REG(n) (*(volatile uint32_t *)(BOARD_INJECT_BASE + (n)))

#define INJECT_LOAD    0x00
#define INJECT_VALUE   0x04
#define INJECT_CONTROL 0x08
#define INJECT_CLEAR   0x0c
#define INJECT_RUNS    0xa2U /* enabled, with its interrupt, 32 bits, does not stop at 0 */

static inline void inject_lower(void)
{
	INJECT_REG(INJECT_CLEAR) = 1;
}

static inline void inject_in(uint32_t units)
{
	inject_lower();
	INJECT_REG(INJECT_LOAD) = units == 0 ? UINT32_MAX
					     : units * BOARD_CYCLES_NUM / BOARD_CYCLES_DEN;
}

static inline void inject_init(void)
{
	inject_in(0);
	INJECT_REG(INJECT_CONTROL) = INJECT_RUNS;
}

static inline uint32_t inject_rose(void)
{
	return arch_cycles() + INJECT_REG(INJECT_VALUE) + 1U;
}

#endif /* FOLIOT_DRIVERS_INJECT_CMSDK_DUAL_H */
