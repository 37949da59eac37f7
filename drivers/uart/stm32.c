/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The USART of ST's STM32, at 115200 baud. Two generations have their registers in different
 * places, which the board says; the bits that are needed are the same but for the one that enables
 * it.
 */
#include <stdint.h>
#include <board.h>
#include "drivers/clock.h"
#include "drivers/uart.h"

#define REG(n) (*(volatile uint32_t *)(BOARD_UART_BASE + (n)))
#define CR1    REG(BOARD_UART_CR1)
#define BRR    REG(BOARD_UART_BRR)
#define STATUS REG(BOARD_UART_STATUS)
#define DATA   REG(BOARD_UART_DATA)

#define CR1_TRANSMIT (1UL << 3)
#define STATUS_EMPTY (1UL << 7)
#define BAUD         115200U

void uart_init(void)
{
	BRR = (clock_uart_hz() + BAUD / 2U) / BAUD;
	CR1 = BOARD_UART_ENABLE;
	CR1 = BOARD_UART_ENABLE | CR1_TRANSMIT;
}

void uart_putc(char c)
{
	while ((STATUS & STATUS_EMPTY) == 0) {
	}
	DATA = (uint8_t)c;
}
