/* SPDX-License-Identifier: Apache-2.0 */
/* The UART of Nordic's nRF51 and nRF52, 115200 baud. */
#include <stdint.h>
#include <board.h>
#include "drivers/uart.h"

#define REG(n)        (*(volatile uint32_t *)(BOARD_UART_BASE + (n)))
#define TASKS_STARTTX REG(0x008)
#define EVENTS_TXDRDY REG(0x11C)
#define ENABLE        REG(0x500)
#define PSELTXD       REG(0x50C)
#define PSELRXD       REG(0x514)
#define TXD           REG(0x51C)
#define BAUDRATE      REG(0x524)

#define GPIO_OUTSET (*(volatile uint32_t *)0x50000508)
#define GPIO_DIRSET (*(volatile uint32_t *)0x50000518)

#define ENABLED      4U
#define BAUD_115200  0x01D7E000UL
#define DISCONNECTED 0xFFFFFFFFUL

void uart_init(void)
{
	GPIO_OUTSET = 1UL << BOARD_UART_TX_PIN; /* idle is high */
	GPIO_DIRSET = 1UL << BOARD_UART_TX_PIN;
	PSELTXD = BOARD_UART_TX_PIN;
	PSELRXD = DISCONNECTED;
	BAUDRATE = BAUD_115200;
	ENABLE = ENABLED;
	TASKS_STARTTX = 1;
}

void uart_putc(char c)
{
	EVENTS_TXDRDY = 0;
	TXD = (uint8_t)c;
	while (EVENTS_TXDRDY == 0) {
	}
}
