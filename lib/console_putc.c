/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file of its own: a program that prints by it alone does not link what printk.c brings with it.
 */
#include <foliot/console.h>
#include "drivers/uart.h"
#include "lib/console_line.h"

void console_putc(char c)
{
	console_take();
	uart_putc(c);
}
