/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the clock after reset to the one that the board declares; before anything else has a rate.
 *
 * A board whose clock has to be set up has a driver in clock/ and says BOARD_CLOCK_STARTS. Each
 * wait is bounded: a crystal that does not start or a PLL that does not lock leaves the chip on a
 * clock that runs, and what that is stands in the header of what the suites print. Supplies stay as
 * reset leaves them, unless CONFIG_CLOCK_RATED asks for a clock that needs more voltage: then that
 * comes first, and where it does not settle the clock stays. A UART's driver asks here what its
 * baud rate is divided from.
 */
#ifndef FOLIOT_DRIVERS_CLOCK_H
#define FOLIOT_DRIVERS_CLOCK_H

#include <stddef.h>
#include <stdint.h>
#include <board.h>

#ifdef BOARD_CLOCK_STARTS
/* Start the clock. At boot, once memory holds its initial values, interrupts masked. */
void clock_start(void);

/*
 * Returns why the board does not run at its own clock, and by what; NULL where it does. Either
 * context.
 */
const char *clock_fallback(void);

/* Returns by what rate the UART's baud is divided, Hz. Either context. */
uint32_t clock_uart_hz(void);
#else
static inline void clock_start(void)
{
}

static inline const char *clock_fallback(void)
{
	return NULL;
}

#ifdef BOARD_UART_HZ
static inline uint32_t clock_uart_hz(void)
{
	return BOARD_UART_HZ;
}
#endif
#endif

#endif /* FOLIOT_DRIVERS_CLOCK_H */
