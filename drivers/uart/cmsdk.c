/* SPDX-License-Identifier: Apache-2.0 */
/* The UART of Arm's Cortex-M System Design Kit. */
#include <stdint.h>
#include <board.h>
#include "drivers/uart.h"

#define REG(n)  (*(volatile uint32_t *)(BOARD_UART_BASE + (n)))
#define DATA    REG(0x00)
#define STATE   REG(0x04)
#define CTRL    REG(0x08)
#define BAUDDIV REG(0x10)

#define STATE_TX_FULL 1U
#define CTRL_TX       1U

void uart_init(void)
{
	BAUDDIV = 16; /* the fastest it has */
	CTRL = CTRL_TX;
}

void uart_putc(char c)
{
	while ((STATE & STATE_TX_FULL) != 0) {
	}
	DATA = (uint8_t)c;
}
