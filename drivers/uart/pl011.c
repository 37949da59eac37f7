/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arm's PrimeCell UART, PL011. Its baud rate is left as the firmware or the emulator set it: the
 * reference clock is no fact that the board could know of itself.
 */
#include <stdint.h>
#include <board.h>
#include "drivers/uart.h"

#define REG(n) (*(volatile uint32_t *)(BOARD_UART_BASE + (n)))
#define DR     REG(0x00)
#define FR     REG(0x18)
#define LCR_H  REG(0x2c)
#define CR     REG(0x30)

#define FR_TX_FULL   0x20U
#define LCR_8_BITS   0x60U
#define LCR_FIFO     0x10U
#define CR_ENABLE_TX 0x101U

void uart_init(void)
{
	LCR_H = LCR_8_BITS | LCR_FIFO;
	CR = CR_ENABLE_TX;
}

void uart_putc(char c)
{
	while ((FR & FR_TX_FULL) != 0) {
	}
	DR = (uint8_t)c;
}
