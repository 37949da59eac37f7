/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Console output. Formats %d %i %u %x %X %p %c %s %% with width, zero and left
 * padding, precision for %s, and the l, ll and z modifiers: what a kernel prints.
 */
#ifndef FOLIOT_CONSOLE_H
#define FOLIOT_CONSOLE_H

#include <stdarg.h>
#include <foliot/util.h>

/* Print to the board's console, busy-waiting where the UART must. Context: either. */
void printk(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void vprintk(const char *fmt, va_list ap);

/*
 * Print into buf, always terminated when size > 0. Returns the length the whole
 * text has, which is >= size when it was cut. Context: either.
 */
int snprintk(char *buf, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int vsnprintk(char *buf, size_t size, const char *fmt, va_list ap);

/* Write one character, unformatted. Context: either. */
void console_putc(char c);

#endif /* FOLIOT_CONSOLE_H */
