/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Printing to the console, by printk(): what that formats, and no files. */
#ifndef FOLIOT_LIBC_STDIO_H
#define FOLIOT_LIBC_STDIO_H

#include <stdarg.h>
#include <stddef.h>

#define EOF (-1)

#ifdef __cplusplus
extern "C" {
#endif

int printf(const char *__restrict format, ...) __attribute__((format(printf, 1, 2)));
int vprintf(const char *__restrict format, va_list ap);
int snprintf(char *__restrict s, size_t n, const char *__restrict format, ...)
	__attribute__((format(printf, 3, 4)));
int vsnprintf(char *__restrict s, size_t n, const char *__restrict format, va_list ap);
int sprintf(char *__restrict s, const char *__restrict format, ...)
	__attribute__((format(printf, 2, 3)));
int puts(const char *s);
int putchar(int c);

#ifdef __cplusplus
}
#endif

#endif /* FOLIOT_LIBC_STDIO_H */
