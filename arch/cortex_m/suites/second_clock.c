/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SysTick, which the kernel leaves alone on this architecture. It runs at the core's
 * clock, which is the clock that boards declare. 24 bits, counting down.
 */
#include <foliot/util.h>
#include <board.h>
#include "suites/measure/second_clock.h"

#define SYST_CSR (*(volatile uint32_t *)0xE000E010)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018)

#define CSR_ENABLE     1U
#define CSR_CORE_CLOCK 4U
#define COUNT_MASK     0xFFFFFFU

const uint32_t second_clock_mask = COUNT_MASK;

uint32_t second_clock_start(void)
{
	SYST_RVR = COUNT_MASK;
	SYST_CVR = 0;
	SYST_CSR = CSR_ENABLE | CSR_CORE_CLOCK;
	return BOARD_CLOCK_HZ;
}

uint32_t second_clock_read(void)
{
	return ~SYST_CVR & COUNT_MASK;
}

void second_clock_stop(void)
{
	SYST_CSR = 0;
}
