/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the trace hooks' signals go: to the board's signal pins if it has some, else
 * into a ring of time stamps (ring.c). Interrupts masked throughout.
 */
#ifndef FOLIOT_DRIVERS_TRACE_LEVELS_H
#define FOLIOT_DRIVERS_TRACE_LEVELS_H

#include <stdint.h>
#include <board.h>

#ifdef BOARD_SIGNALS
#define TRACE_PINS_(address) (*(volatile uint32_t *)(address))

/* On a chip the pins of a port are not all free: the board says which one a signal takes. */
#ifndef BOARD_SIGNALS_ON_PINS
#define BOARD_SIGNALS_ON_PINS(levels) (levels)
#endif
#ifndef BOARD_SIGNALS_OFF_PINS
#define BOARD_SIGNALS_OFF_PINS(levels) BOARD_SIGNALS_ON_PINS(levels)
#endif

static inline void trace_levels_set_all(uint32_t levels)
{
	TRACE_PINS_(BOARD_SIGNALS) = BOARD_SIGNALS_ON_PINS(levels);
}

static inline void trace_levels_raise(uint32_t levels)
{
	TRACE_PINS_(BOARD_SIGNALS_SET) = BOARD_SIGNALS_ON_PINS(levels);
}

static inline void trace_levels_lower(uint32_t levels)
{
	TRACE_PINS_(BOARD_SIGNALS_CLR) = BOARD_SIGNALS_OFF_PINS(levels);
}
#else
void trace_levels_set_all(uint32_t levels);
void trace_levels_raise(uint32_t levels);
void trace_levels_lower(uint32_t levels);
#endif

#endif /* FOLIOT_DRIVERS_TRACE_LEVELS_H */
