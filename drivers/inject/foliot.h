/* SPDX-License-Identifier: Apache-2.0 */
/* The injector of Foliot's SoC: a unit is a clock. sim/README.md, "Instruments". */
#ifndef FOLIOT_DRIVERS_INJECT_FOLIOT_H
#define FOLIOT_DRIVERS_INJECT_FOLIOT_H

#include <stdint.h>
#include <board.h>

#define INJECT_IRQ    BOARD_EXT_IRQ
#define INJECT_REG(n) (*(volatile uint32_t *)(BOARD_INJECT + (n)))

static inline void inject_in(uint32_t units)
{
	INJECT_REG(0x00) = units;
}

static inline void inject_init(void)
{
	inject_in(0);
}

static inline void inject_lower(void)
{
	INJECT_REG(0x04) = 1;
}

static inline uint32_t inject_rose(void)
{
	return INJECT_REG(0x10);
}

#endif /* FOLIOT_DRIVERS_INJECT_FOLIOT_H */
