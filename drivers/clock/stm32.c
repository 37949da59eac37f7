/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock of ST's STM32F4 and STM32G4: from the RC oscillator of 16 MHz, which runs after reset,
 * to the PLL on it; no crystal, since boards differ in whether they have one, and 1 per cent is
 * enough for a UART. The voltage range stays as reset leaves it, and that is what bounds the
 * boards' clocks; a board may have the regulator's boost, which is entered with the buses at half
 * of the RC oscillator (BOARD_BOOST_*: RM0440, 6.1.5).
 *
 * Which register is where, and what goes into it, are the board's facts; how the PLL is started is
 * the same on both.
 */
#include "drivers/clock.h"
#include "drivers/clock/wait.h"

#define REG(address) (*(volatile uint32_t *)(address))

#define RCC_CR    (BOARD_RCC_BASE + 0x00)
#define RCC_CFGR  (BOARD_RCC_BASE + 0x08)
#define FLASH_ACR BOARD_FLASH_BASE

#define CR_PLL_ON      (1UL << 24)
#define CR_PLL_READY   (1UL << 25)
#define CFGR_SWITCH    0x3U
#define CFGR_SWITCHED  0xCU
/* the core at half the clock, so that the load comes in two steps */
#define CFGR_HALF      (8U << 4)
#define CFGR_PRESCALER (15U << 4)
#define ACR_LATENCY    0xFU
#define ROUNDS_OF_A_US 200U

static const char *fallback;

#ifdef BOARD_BOOST_OFF
static void set_bits(uint32_t address, uint32_t bits)
{
	REG(address) |= bits;
}

static bool clear_bits(uint32_t address, uint32_t bits)
{
	REG(address) &= ~bits;
	return clock_wait(address, bits, 0);
}

static bool boost(void)
{
	set_bits(BOARD_BOOST_CLOCK);
	return clear_bits(BOARD_BOOST_OFF);
}
#else
static bool boost(void)
{
	return true;
}
#endif

static const char *start_pll(void)
{
	REG(RCC_CR) &= ~CR_PLL_ON;
	REG(BOARD_PLLCFGR) = BOARD_PLLCFGR_VALUE;
	REG(RCC_CR) |= CR_PLL_ON;
	if (!clock_wait(RCC_CR, CR_PLL_READY, CR_PLL_READY)) {
		return "the PLL does not lock: the clock is the chip's own, 16 MHz";
	}
	REG(RCC_CFGR) = BOARD_CFGR | CFGR_HALF | BOARD_CFGR_RC;
	if (!boost()) {
		return "the regulator takes no boost: the clock is the chip's own, 16 MHz";
	}
	/* The flash's wait states, and its caches, before the clock that needs them. */
	REG(FLASH_ACR) = BOARD_FLASH_ACR;
	if (!clock_wait(FLASH_ACR, ACR_LATENCY, BOARD_FLASH_ACR & ACR_LATENCY)) {
		return "the flash takes no wait states: the clock is the chip's own, 16 MHz";
	}
	REG(RCC_CFGR) |= BOARD_CFGR_PLL;
	if (!clock_wait(RCC_CFGR, CFGR_SWITCHED, BOARD_CFGR_PLL << 2)) {
		return "the core does not go to the PLL: the clock is the chip's own, 16 MHz";
	}
	/* Bound: ROUNDS_OF_A_US. */
	for (unsigned int i = 0; i < ROUNDS_OF_A_US; i++) {
		__asm__ volatile("nop");
	}
	REG(RCC_CFGR) &= ~CFGR_PRESCALER;
	return NULL;
}

void clock_start(void)
{
	/* After a debugger's reset the core may run by the PLL: back to the RC oscillator first. */
	REG(RCC_CFGR) = (REG(RCC_CFGR) & ~CFGR_SWITCH) | BOARD_CFGR_RC;
	if (!clock_wait(RCC_CFGR, CFGR_SWITCHED, BOARD_CFGR_RC << 2)) {
		fallback = "the core does not leave the PLL: the clock is not known";
		return;
	}
	fallback = start_pll();
	if (fallback != NULL) {
		REG(RCC_CFGR) =
			BOARD_CFGR_RC; /* undivided, too: the UART's clock is that of the buses */
	}
}

const char *clock_fallback(void)
{
	return fallback;
}

uint32_t clock_uart_hz(void)
{
	return fallback == NULL ? BOARD_UART_HZ : 16000000U;
}
