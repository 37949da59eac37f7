/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that are cut off: console_line.h. */
#include "lib/console_line.h"
#include "drivers/uart.h"

#ifdef CONFIG_USERSPACE
const void *volatile console_line;

void console_cut_off(void)
{
	console_line = NULL;
	uart_putc(CONSOLE_CUT);
	uart_putc('\n');
}
#endif
