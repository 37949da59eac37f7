/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Console output. Formats %d %i %u %o %x %X %p %c %s %% as C says, with the flags # + 0 -
 * and space, width and precision (both also as *), and the modifiers hh h l ll j z t. %p is
 * 0x and the address, %s of NULL is (null). Anything else, floating point among it, is
 * printed as it stands in the format, and takes its argument.
 */
#ifndef FOLIOT_CONSOLE_H
#define FOLIOT_CONSOLE_H

#include <stdarg.h>
#include <foliot/util.h>

/** Print to the board's console, busy-waiting where the UART must. Context: either. */
void printk(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/** As printk(), with the arguments in `ap`. Context: either. */
void vprintk(const char *fmt, va_list ap);

/**
 * Print into `buf` of `size` bytes, always terminated when size > 0.
 * Returns the length the whole text has, in bytes, which is >= size when it was cut.
 * Context: either.
 */
int snprintk(char *buf, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/**
 * As snprintk(), with the arguments in `ap`.
 * Returns the length of the whole text, bytes.
 * Context: either.
 */
int vsnprintk(char *buf, size_t size, const char *fmt, va_list ap);

/** Write one character, unformatted. Context: either. */
void console_putc(char c);

#endif /* FOLIOT_CONSOLE_H */
