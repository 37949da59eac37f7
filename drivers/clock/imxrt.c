/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The core's clock of NXP's i.MX RT1060, by the Arm PLL. What the ROM made of it is not relied on:
 * the core goes by the crystal while the PLL is set up. Where the board's clock needs more voltage
 * than there is, that is raised and has settled before anything else is touched; it is never
 * lowered. The flash's clock and the UART's do not depend on the core's.
 */
#include "drivers/clock.h"
#include "drivers/clock/wait.h"

#define REG(address) (*(volatile uint32_t *)(address))

#define CCM      0x400FC000U
#define CACRR    (CCM + 0x10) /* what divides the PLL */
#define CBCDR    (CCM + 0x14)
#define CBCMR    (CCM + 0x18)
#define CDHIPR   (CCM + 0x48) /* a divider, or a switch, is about to be taken over */
#define CCGR6    (CCM + 0x80)
#define PLL_ARM  0x400D8000U
#define DCDC_0   0x40080000U
#define DCDC_3   0x4008000CU
#define PLL_LOCK (1UL << 31)
#define PLL_ON   (1UL << 13)
#define PLL_PASS (1UL << 16)

#define CBCDR_BY_CRYSTAL (1UL << 25)
#define CBCDR_DIVIDERS   (7UL << 27 | 7UL << 10 | 3UL << 8)
#define CBCDR_IPG        ((BOARD_IPG_DIVISOR - 1UL) << 8)
#define CBCMR_CRYSTAL    (3UL << 12) /* of what the core goes by meanwhile: 01 */
#define CBCMR_IS_CRYSTAL (1UL << 12)
#define CBCMR_PLL_ARM    (3UL << 18)
#define BUSY             (0x3FU | 1U << 16)
#define CCGR6_DCDC       (3UL << 6)
#define DCDC_OK          (1UL << 31)
#define DCDC_TARGET      0x1FU
#define DCDC_CORE        ((BOARD_CORE_MILLIVOLT - 800U) / 25U)

static const char *fallback;

static bool raise_supply(void)
{
	REG(CCGR6) |= CCGR6_DCDC;
	if ((REG(DCDC_3) & DCDC_TARGET) < DCDC_CORE) {
		REG(DCDC_3) = (REG(DCDC_3) & ~DCDC_TARGET) | DCDC_CORE;
		return clock_wait(DCDC_0, DCDC_OK, DCDC_OK);
	}
	return true;
}

static const char *start_pll(void)
{
	if (!raise_supply()) {
		return "the core's voltage does not rise: the clock is what the ROM chose";
	}
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
	REG(CBCDR) = (REG(CBCDR) & ~CBCDR_DIVIDERS) | CBCDR_IPG;
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
