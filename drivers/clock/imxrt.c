/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The core's clock of NXP's i.MX RT1060: by the Arm PLL, as fast as the supply that reset leaves allows with room
 * to spare. What the ROM made of it is not relied on: the core goes by the crystal while the PLL is set up. The
 * flash's clock and the UART's do not depend on it.
 */
#include "drivers/clock.h"
#include "drivers/clock/wait.h"

#define REG(address) (*(volatile uint32_t *)(address))

#define CCM      0x400FC000U
#define CACRR    (CCM + 0x10) /* what divides the PLL */
#define CBCDR    (CCM + 0x14)
#define CBCMR    (CCM + 0x18)
#define CDHIPR   (CCM + 0x48) /* a divider, or a switch, is about to be taken over */
#define PLL_ARM  0x400D8000U
#define PLL_LOCK (1UL << 31)
#define PLL_ON   (1UL << 13)
#define PLL_PASS (1UL << 16)

#define CBCDR_BY_CRYSTAL (1UL << 25)
#define CBCDR_DIVIDERS   (7UL << 27 | 7UL << 10 | 3UL << 8)
#define CBCDR_IPG_BY_3   (2UL << 8)
#define CBCMR_CRYSTAL    (3UL << 12) /* of what the core goes by meanwhile: 01 */
#define CBCMR_IS_CRYSTAL (1UL << 12)
#define CBCMR_PLL_ARM    (3UL << 18)
#define BUSY             (0x3FU | 1U << 16)

static const char *fallback;

static const char *start_pll(void)
{
	REG(CBCMR) = (REG(CBCMR) & ~CBCMR_CRYSTAL) | CBCMR_IS_CRYSTAL;
	REG(CBCDR) |= CBCDR_BY_CRYSTAL;
	if (!clock_wait(CDHIPR, BUSY, 0)) {
		return "the core does not go to the crystal: the clock is what the ROM chose";
	}
	REG(PLL_ARM) = PLL_PASS | PLL_ON | BOARD_PLL_MULTIPLIER;
	if (!clock_wait(PLL_ARM, PLL_LOCK, PLL_LOCK)) {
		return "the PLL does not lock: the clock is the crystal's, 24 MHz";
	}
	REG(PLL_ARM) = PLL_ON | BOARD_PLL_MULTIPLIER;
	REG(CACRR) = BOARD_PLL_DIVISOR - 1U;
	REG(CBCMR) |= CBCMR_PLL_ARM;
	REG(CBCDR) = (REG(CBCDR) & ~CBCDR_DIVIDERS) | CBCDR_IPG_BY_3;
	if (!clock_wait(CDHIPR, BUSY, 0)) {
		return "a divider is not taken over: the clock is the crystal's, 24 MHz";
	}
	REG(CBCDR) &= ~CBCDR_BY_CRYSTAL;
	if (!clock_wait(CDHIPR, BUSY, 0)) {
		return "the core does not go to the PLL: the clock is the crystal's, 24 MHz";
	}
	return NULL;
}

void clock_start(void)
{
	fallback = start_pll();
}

const char *clock_fallback(void)
{
	return fallback;
}

uint32_t clock_uart_hz(void)
{
	return BOARD_UART_HZ;
}
