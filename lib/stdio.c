/* SPDX-License-Identifier: Apache-2.0 */
/* printf() and the like, by printk(). */
#include <stdio.h>
#include <foliot/console.h>

/* As much as fits a result: what is printed has no end that anybody knows. */
int vprintf(const char *__restrict format, va_list ap)
{
	va_list again;
	int length;

	va_copy(again, ap);
	length = vsnprintk(NULL, 0, format, again);
	va_end(again);
	vprintk(format, ap);
	return length;
}

int printf(const char *__restrict format, ...)
{
	va_list ap;
	int length;

	va_start(ap, format);
	length = vprintf(format, ap);
	va_end(ap);
	return length;
}

int vsnprintf(char *__restrict s, size_t n, const char *__restrict format, va_list ap)
{
	return vsnprintk(s, n, format, ap);
}

int snprintf(char *__restrict s, size_t n, const char *__restrict format, ...)
{
	va_list ap;
	int length;

	va_start(ap, format);
	length = vsnprintk(s, n, format, ap);
	va_end(ap);
	return length;
}

int sprintf(char *__restrict s, const char *__restrict format, ...)
{
	va_list ap;
	int length;

	va_start(ap, format);
	length = vsnprintk(s, (size_t)0x7fffffff, format, ap);
	va_end(ap);
	return length;
}

int puts(const char *s)
{
	printk("%s\n", s);
	return 0;
}

int putchar(int c)
{
	console_putc((char)c);
	return (unsigned char)c;
}
