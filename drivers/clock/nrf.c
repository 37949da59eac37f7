/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock of Nordic's nRF51 and nRF52: the same rate by the crystal as by the RC oscillator that
 * runs after reset, but as exact as what is measured by it should be. Where the crystal does not
 * start, the other goes on, within 2 per cent. An nRF51 takes a crystal of 16 MHz for granted; a
 * board with one of 32 says what is to be written before it starts (BOARD_NRF_XTALFREQ; nRF51
 * Series Reference Manual, 13.2.11), or its clock is twice as fast.
 */
#include "drivers/clock.h"
#include "drivers/clock/wait.h"

#define TASKS_HFCLKSTART    (BOARD_NRF_CLOCK_BASE + 0x000)
#define EVENTS_HFCLKSTARTED (BOARD_NRF_CLOCK_BASE + 0x100)

#ifdef BOARD_NRF_XTALFREQ
#define XTALFREQ (BOARD_NRF_CLOCK_BASE + 0x550)

static void tell_crystal(void)
{
	*(volatile uint32_t *)XTALFREQ = BOARD_NRF_XTALFREQ;
}
#else
static void tell_crystal(void)
{
}
#endif

static const char *fallback;

void clock_start(void)
{
	tell_crystal();
	*(volatile uint32_t *)EVENTS_HFCLKSTARTED = 0;
	*(volatile uint32_t *)TASKS_HFCLKSTART = 1;
	if (!clock_wait(EVENTS_HFCLKSTARTED, 1, 1)) {
		fallback =
			"the crystal does not start: the clock is the chip's own, within 2 per cent";
	}
}

const char *clock_fallback(void)
{
	return fallback;
}
