/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of a report, which a thread writes with interrupts open (kernel/core/fatal_print.c).
 * Whoever else writes to the console meanwhile cuts the line off, by CONSOLE_CUT and a newline, and
 * its thread writes it anew. Rejected: to wait for the line's end, as long as its console takes.
 */
#ifndef FOLIOT_LIB_CONSOLE_LINE_H
#define FOLIOT_LIB_CONSOLE_LINE_H

#include <foliot/util.h>
#include "drivers/uart.h"

#define CONSOLE_CUT '~' /* at the end of a line: one that is written anew */

#ifdef CONFIG_USERSPACE
/* Who is writing a line; NULL: nobody is, or it has been cut off. */
extern const void *volatile console_line;

/* Before each character of somebody else's. Inline: the library's code may be user mode's. */
static inline void console_take(void)
{
	if (unlikely(console_line != NULL)) {
		console_line = NULL;
		uart_putc(CONSOLE_CUT);
		uart_putc('\n');
	}
}
#else
static inline void console_take(void)
{
}
#endif

#endif /* FOLIOT_LIB_CONSOLE_LINE_H */
