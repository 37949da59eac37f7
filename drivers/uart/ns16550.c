/* SPDX-License-Identifier: Apache-2.0 */
/* The 16550-compatible UART of QEMU's virt machine and of Foliot's SoC. */
#include <stdint.h>
#include <board.h>
#include "drivers/uart.h"

#define REG(n)   (*(volatile uint8_t *)(BOARD_UART_BASE + (n)))
#define THR      REG(0)
#define LSR      REG(5)
#define LSR_THRE 0x20U

void uart_init(void)
{
	/* Both come up ready to send. */
}

void uart_putc(char c)
{
	while ((LSR & LSR_THRE) == 0) {
	}
	THR = (uint8_t)c;
}
