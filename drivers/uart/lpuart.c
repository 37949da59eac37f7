/* SPDX-License-Identifier: Apache-2.0 */
/* NXP's LPUART, 115200 baud by 16 a bit. */
#include <stdint.h>
#include <board.h>
#include "drivers/clock.h"
#include "drivers/uart.h"

#define REG(n) (*(volatile uint32_t *)(BOARD_UART_BASE + (n)))
#define BAUD   REG(0x10)
#define STAT   REG(0x14)
#define CTRL   REG(0x18)
#define DATA   REG(0x1C)

#define BAUD_BY_16 (15UL << 24)
#define STAT_EMPTY (1UL << 23)
#define CTRL_TX    (1UL << 19)
#define BITS_A_S   115200U
#define CLOCKS     (16U * BITS_A_S)

void uart_init(void)
{
	CTRL = 0;
	BAUD = BAUD_BY_16 | (clock_uart_hz() + CLOCKS / 2U) / CLOCKS;
	CTRL = CTRL_TX;
}

void uart_putc(char c)
{
	while ((STAT & STAT_EMPTY) == 0) {
	}
	DATA = (uint8_t)c;
}
