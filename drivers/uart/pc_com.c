/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A PC's COM port: the 16550 behind I/O ports, clocked as it has always been, so that its rate
 * can be set here: 115200 baud, 8 bits, no parity.
 */
#include <board.h>
#include "drivers/port_io/port_io.h"
#include "drivers/uart.h"

#define DATA    (BOARD_UART_PORT + 0) /* or, while LCR_DIVISOR: the divisor, low */
#define IER     (BOARD_UART_PORT + 1) /* ... high */
#define FCR     (BOARD_UART_PORT + 2)
#define LCR     (BOARD_UART_PORT + 3)
#define MCR     (BOARD_UART_PORT + 4)
#define LSR     (BOARD_UART_PORT + 5)
#define DIVISOR 1U /* of 115200 */

#define FCR_ON_AND_CLEAR 0x07U
#define LCR_8_BITS       0x03U
#define LCR_DIVISOR      0x80U
#define MCR_DTR_RTS      0x03U
#define LSR_THRE         0x20U

void uart_init(void)
{
	port_write8(IER, 0);
	port_write8(LCR, LCR_DIVISOR | LCR_8_BITS);
	port_write8(DATA, DIVISOR);
	port_write8(IER, 0);
	port_write8(LCR, LCR_8_BITS);
	port_write8(FCR, FCR_ON_AND_CLEAR);
	port_write8(MCR, MCR_DTR_RTS);
}

void uart_putc(char c)
{
	while ((port_read8(LSR) & LSR_THRE) == 0) {
	}
	port_write8(DATA, (uint8_t)c);
}
