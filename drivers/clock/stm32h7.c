/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock of ST's STM32H745/H747: the RC oscillator of 64 MHz, which runs after reset, or by
 * CONFIG_CLOCK_RATED the PLL on it (RM0399, 4.3.8, 7.6.2, 9.5). No crystal, since 1 per cent is
 * enough for a UART.
 *
 * The voltage comes first, scale 1, then the flash's wait states, the buses' dividers, and the PLL.
 * Scale 0 is not there: it is the linear regulator's, and this chip's core is fed by the other one
 * (drivers/supply/).
 */
#include <foliot/util.h>
#include "drivers/clock.h"
#include "drivers/clock/wait.h"
#include "drivers/supply/stm32h7_smps.h"

#define REG(address) (*(volatile uint32_t *)(address))

#define RCC        0x58024400U
#define RCC_CR     (RCC + 0x00)
#define RCC_CFGR   (RCC + 0x10)
#define RCC_D1CFGR (RCC + 0x18)
#define RCC_D2CFGR (RCC + 0x1C)
#define RCC_D3CFGR (RCC + 0x20)
#define PLLCKSELR  (RCC + 0x28)
#define PLLCFGR    (RCC + 0x2C)
#define PLL1DIVR   (RCC + 0x30)
#define PWR_D3CR   0x58024818U
#define FLASH_ACR  0x52002000U

#define CR_PLL_ON      (1UL << 24)
#define CR_PLL_READY   (1UL << 25)
#define CFGR_SWITCH    0x7U
#define CFGR_SWITCHED  0x38U
#define CFGR_PLL       3U
#define D3CR_SCALE_1   (3UL << 14)
#define D3CR_SCALE     (3UL << 14)
#define D3CR_READY     (1UL << 13)
#define ACR_LATENCY    0xFU
#define ACR_AT_200_MHZ (2U << 4 | 2U) /* of the bus: two wait states, and the signals' delay */

/* 64 MHz / 8 * 100 / 2 = 400 MHz; the buses by half of that, their devices by a quarter. */
#define PLL_BY_8_MHZ  (8U << 4) /* what is divided: the RC oscillator */
#define PLL_RANGE     (3U << 2) /* 8 to 16 MHz, the wide oscillator */
#define PLL_P_ON      (1UL << 16)
#define PLL_DIVIDERS  (1UL << 24 | 1UL << 16 | 1UL << 9 | 99U)
#define D1_BY_2       (4U << 4 | 8U)
#define D2_BY_2       (4U << 8 | 4U << 4)
#define D3_BY_2       (4U << 4)
#define DIVIDERS_NONE 0U

static const char *fallback;

static const char *start_pll(void)
{
	REG(RCC_CR) &= ~CR_PLL_ON;
	REG(PWR_D3CR) = (REG(PWR_D3CR) & ~D3CR_SCALE) | D3CR_SCALE_1;
	if (!clock_wait(PWR_D3CR, D3CR_READY, D3CR_READY)) {
		return "the core's voltage does not rise: the clock is the chip's own, 64 MHz";
	}
	REG(FLASH_ACR) = ACR_AT_200_MHZ;
	if (!clock_wait(FLASH_ACR, ACR_LATENCY, ACR_AT_200_MHZ & ACR_LATENCY)) {
		return "the flash takes no wait states: the clock is the chip's own, 64 MHz";
	}
	REG(PLLCKSELR) = PLL_BY_8_MHZ;
	REG(PLL1DIVR) = PLL_DIVIDERS;
	REG(PLLCFGR) = PLL_RANGE | PLL_P_ON;
	REG(RCC_CR) |= CR_PLL_ON;
	if (!clock_wait(RCC_CR, CR_PLL_READY, CR_PLL_READY)) {
		return "the PLL does not lock: the clock is the chip's own, 64 MHz";
	}
	REG(RCC_D1CFGR) = D1_BY_2;
	REG(RCC_D2CFGR) = D2_BY_2;
	REG(RCC_D3CFGR) = D3_BY_2;
	REG(RCC_CFGR) |= CFGR_PLL;
	if (!clock_wait(RCC_CFGR, CFGR_SWITCHED, CFGR_PLL << 3)) {
		REG(RCC_CFGR) &= ~CFGR_SWITCH;
		return "the core does not go to the PLL: the clock is the chip's own, 64 MHz";
	}
	return NULL;
}

/* After a debugger's reset the core may run by the PLL, its buses by half of that. */
static bool leave_pll(void)
{
	REG(RCC_CFGR) &= ~CFGR_SWITCH;
	if (!clock_wait(RCC_CFGR, CFGR_SWITCHED, 0)) {
		return false;
	}
	REG(RCC_D1CFGR) = DIVIDERS_NONE;
	REG(RCC_D2CFGR) = DIVIDERS_NONE;
	REG(RCC_D3CFGR) = DIVIDERS_NONE;
	return true;
}

static const char *start_rated(void)
{
	const char *reason = start_pll();

	if (reason != NULL) {
		REG(RCC_D1CFGR) = DIVIDERS_NONE;
		REG(RCC_D2CFGR) = DIVIDERS_NONE;
		REG(RCC_D3CFGR) = DIVIDERS_NONE;
	}
	return reason;
}

void clock_start(void)
{
	if (!supply_settled()) {
		fallback = "the supply does not settle: the clock is the chip's own, 64 MHz";
	} else if (!leave_pll()) {
		fallback = "the core does not leave the PLL: the clock is not known";
	} else if (IS_ENABLED(CONFIG_CLOCK_RATED)) {
		fallback = start_rated();
	}
}

const char *clock_fallback(void)
{
	return fallback;
}

uint32_t clock_uart_hz(void)
{
	return fallback == NULL ? BOARD_UART_HZ : 64000000U;
}
