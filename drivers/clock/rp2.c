/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clocks of Raspberry Pi's RP2040 and RP2350: from the ring oscillator, some 6 or 11 MHz, to
 * the crystal, and by PLL_SYS to the board's clock. The registers are alike on both; where they are
 * is the board's to say.
 *
 * A debugger's reset leaves the clocks as they run: so the core goes to the crystal before its PLL
 * stops.
 */
#include <stdbool.h>
#include "drivers/clock.h"
#include "drivers/clock/wait.h"

#define REG(address) (*(volatile uint32_t *)(address))
#define SET_ALIAS    0x2000 /* the same register, where writing sets bits, */
#define CLEAR_ALIAS  0x3000 /* or clears them */

#define RESET_DONE   (BOARD_RESETS_BASE + 0x8)
#define XOSC_CTRL    (BOARD_XOSC_BASE + 0x00)
#define XOSC_STATUS  (BOARD_XOSC_BASE + 0x04)
#define XOSC_STARTUP (BOARD_XOSC_BASE + 0x0C)
#define PLL_CS       (BOARD_PLL_BASE + 0x00)
#define PLL_PWR      (BOARD_PLL_BASE + 0x04)
#define PLL_FBDIV    (BOARD_PLL_BASE + 0x08)
#define PLL_PRIM     (BOARD_PLL_BASE + 0x0C)
#define REF_CTRL     (BOARD_CLOCKS_BASE + 0x30)
#define REF_SELECTED (BOARD_CLOCKS_BASE + 0x38)
#define SYS_CTRL     (BOARD_CLOCKS_BASE + 0x3C)
#define SYS_SELECTED (BOARD_CLOCKS_BASE + 0x44)
#define PERI_CTRL    (BOARD_CLOCKS_BASE + 0x48)

#define XOSC_1_TO_15_MHZ 0xAA0U
#define XOSC_ENABLE      (0xFABU << 12)
#define XOSC_STABLE      (1UL << 31)
#define STARTUP_1_MS     (BOARD_XOSC_HZ / 1000U / 256U + 1U)
#define REF_IS_XOSC      2U
#define SYS_IS_AUX       1U /* PLL_SYS, the first of them */
#define PERI_ENABLE      (1UL << 11) /* by the core's clock */
#define PLL_LOCK         (1UL << 31)
#define PLL_DSM_OFF      (1UL << 2)
#define PLL_POSTDIV_OFF  (1UL << 3)

static const char *fallback;
static uint32_t core_hz;

static bool out_of_reset(uint32_t devices)
{
	REG(BOARD_RESETS_BASE + CLEAR_ALIAS) = devices;
	return clock_wait(RESET_DONE, devices, devices);
}

static bool start_crystal(void)
{
	REG(XOSC_CTRL) = XOSC_1_TO_15_MHZ;
	REG(XOSC_STARTUP) = STARTUP_1_MS;
	REG(XOSC_CTRL + SET_ALIAS) = XOSC_ENABLE;
	if (!clock_wait(XOSC_STATUS, XOSC_STABLE, XOSC_STABLE)) {
		return false;
	}
	REG(REF_CTRL) = REF_IS_XOSC;
	return clock_wait(REF_SELECTED, ~0U, 1U << REF_IS_XOSC);
}

static bool start_pll(void)
{
	REG(SYS_CTRL + CLEAR_ALIAS) = SYS_IS_AUX;
	if (!clock_wait(SYS_SELECTED, ~0U, 1U)) {
		return false;
	}
	REG(BOARD_RESETS_BASE + SET_ALIAS) = BOARD_RESET_PLL;
	if (!out_of_reset(BOARD_RESET_PLL)) {
		return false;
	}
	REG(PLL_CS) = 1; /* the crystal, undivided */
	REG(PLL_FBDIV) = BOARD_PLL_FBDIV;
	REG(PLL_PWR) = PLL_DSM_OFF | PLL_POSTDIV_OFF;
	if (!clock_wait(PLL_CS, PLL_LOCK, PLL_LOCK)) {
		return false;
	}
	REG(PLL_PRIM) = BOARD_PLL_POSTDIV1 << 16 | BOARD_PLL_POSTDIV2 << 12;
	REG(PLL_PWR) = PLL_DSM_OFF;
	REG(SYS_CTRL) = 0; /* which of the others: before it is taken */
	REG(SYS_CTRL) = SYS_IS_AUX;
	return clock_wait(SYS_SELECTED, ~0U, 1U << SYS_IS_AUX);
}

void clock_start(void)
{
	core_hz = BOARD_RESET_HZ;
	if (!out_of_reset(BOARD_RESET_DEVICES)) {
		fallback =
			"some device stays in reset: the clock is the ring oscillator, which is not exact";
	} else if (!start_crystal()) {
		fallback =
			"the crystal does not start: the clock is the ring oscillator, which is not exact";
	} else if (!start_pll()) {
		core_hz = BOARD_XOSC_HZ;
		fallback = "the PLL does not lock: the clock is the crystal's, 12 MHz";
	} else {
		core_hz = BOARD_CLOCK_HZ;
	}
	REG(PERI_CTRL) = PERI_ENABLE;
}

const char *clock_fallback(void)
{
	return fallback;
}

uint32_t clock_uart_hz(void)
{
	return core_hz;
}
