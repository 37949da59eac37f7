/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arm's PrimeCell UART, PL011. Where the board says what baud rate it has, it is set; else left as
 * the firmware or the emulator set it: the reference clock is no fact that such a board could know
 * of itself.
 */
#include <stdint.h>
#include <board.h>
#include "drivers/clock.h"
#include "drivers/uart.h"

#define REG(n) (*(volatile uint32_t *)(BOARD_UART_BASE + (n)))
#define DR     REG(0x00)
#define FR     REG(0x18)
#define IBRD   REG(0x24)
#define FBRD   REG(0x28)
#define LCR_H  REG(0x2c)
#define CR     REG(0x30)

#define FR_TX_FULL   0x20U
#define LCR_8_BITS   0x60U
#define LCR_FIFO     0x10U
#define CR_ENABLE_TX 0x101U

#ifdef BOARD_UART_BAUD
/* By 16 a bit, in sixty-fourths; while it is off. Taken over with the next write of LCR_H. */
static void set_baud(void)
{
	uint32_t divisor = (clock_uart_hz() * 4U + BOARD_UART_BAUD / 2U) / BOARD_UART_BAUD;

	CR = 0;
	IBRD = divisor / 64U;
	FBRD = divisor % 64U;
}
#else
static void set_baud(void)
{
}
#endif

void uart_init(void)
{
	set_baud();
	LCR_H = LCR_8_BITS | LCR_FIFO;
	CR = CR_ENABLE_TX;
}

void uart_putc(char c)
{
	while ((FR & FR_TX_FULL) != 0) {
	}
	DR = (uint8_t)c;
}
