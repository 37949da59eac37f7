/* SPDX-License-Identifier: Apache-2.0 */
/* The console's UART. */
#ifndef FOLIOT_DRIVERS_UART_H
#define FOLIOT_DRIVERS_UART_H

/* Before any output, at boot. */
void uart_init(void);

/* Send one character, waiting while the transmitter is full. Either context. */
void uart_putc(char c);

#endif /* FOLIOT_DRIVERS_UART_H */
