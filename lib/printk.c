/* SPDX-License-Identifier: Apache-2.0 */
/* printk and snprintk: one formatter, two sinks. See include/foliot/console.h. */
#include <foliot/console.h>
#include "lib/string.h"
#include "drivers/uart/uart.h"

struct sink {
	char *buf;    /* NULL: the console */
	size_t size;
	size_t length;
};

struct spec {
	bool left;
	bool zero;
	int width;
	int precision; /* -1: none */
	int longs;     /* 0: int, 1: long or size_t, 2: long long */
};

void console_putc(char c)
{
	uart_putc(c);
}

static void put(struct sink *sink, char c)
{
	if (sink->buf == NULL) {
		uart_putc(c);
	} else if (sink->length + 1 < sink->size) {
		sink->buf[sink->length] = c;
	}
	sink->length++;
}

static void pad(struct sink *sink, char c, int n)
{
	while (n-- > 0) {
		put(sink, c);
	}
}

static void put_text(struct sink *sink, const struct spec *spec, const char *text)
{
	int n = 0;

	while (text[n] != '\0' && (spec->precision < 0 || n < spec->precision)) {
		n++;
	}
	pad(sink, ' ', spec->left ? 0 : spec->width - n);
	for (int i = 0; i < n; i++) {
		put(sink, text[i]);
	}
	pad(sink, ' ', spec->left ? spec->width - n : 0);
}

static void put_number(struct sink *sink, const struct spec *spec, unsigned long long value,
		       unsigned int base, bool upper, const char *sign)
{
	const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
	char text[24];
	int n = 0;
	int total;

	do {
		text[n++] = digits[value % base];
		value /= base;
	} while (value != 0);
	total = n + (int)strlen(sign);
	pad(sink, ' ', spec->left || spec->zero ? 0 : spec->width - total);
	while (*sign != '\0') {
		put(sink, *sign++);
	}
	pad(sink, '0', spec->zero && !spec->left ? spec->width - total : 0);
	while (n > 0) {
		put(sink, text[--n]);
	}
	pad(sink, ' ', spec->left ? spec->width - total : 0);
}

static const char *parse_spec(const char *fmt, struct spec *spec, va_list *ap)
{
	*spec = (struct spec){.precision = -1};
	for (;; fmt++) {
		if (*fmt == '-') {
			spec->left = true;
		} else if (*fmt == '0') {
			spec->zero = true;
		} else {
			break;
		}
	}
	if (*fmt == '*') {
		spec->width = va_arg(*ap, int);
		fmt++;
	}
	while (*fmt >= '0' && *fmt <= '9') {
		spec->width = spec->width * 10 + (*fmt++ - '0');
	}
	if (*fmt == '.') {
		fmt++;
		spec->precision = 0;
		if (*fmt == '*') {
			spec->precision = va_arg(*ap, int);
			fmt++;
		}
		while (*fmt >= '0' && *fmt <= '9') {
			spec->precision = spec->precision * 10 + (*fmt++ - '0');
		}
	}
	for (; *fmt == 'l' || *fmt == 'z' || *fmt == 'h'; fmt++) {
		spec->longs += *fmt == 'h' ? 0 : 1;
	}
	return fmt;
}

static unsigned long long next_unsigned(const struct spec *spec, va_list *ap)
{
	return spec->longs == 0   ? va_arg(*ap, unsigned int)
	       : spec->longs == 1 ? va_arg(*ap, unsigned long)
				  : va_arg(*ap, unsigned long long);
}

static void put_signed(struct sink *sink, const struct spec *spec, va_list *ap)
{
	long long value = spec->longs == 0   ? va_arg(*ap, int)
			  : spec->longs == 1 ? va_arg(*ap, long)
					     : va_arg(*ap, long long);
	unsigned long long magnitude = value < 0 ? 0 - (unsigned long long)value
						 : (unsigned long long)value;

	put_number(sink, spec, magnitude, 10, false, value < 0 ? "-" : "");
}

static void format(struct sink *sink, const char *fmt, va_list *ap)
{
	struct spec spec;
	char text[2] = "";

	for (; *fmt != '\0'; fmt++) {
		if (*fmt != '%') {
			put(sink, *fmt);
			continue;
		}
		fmt = parse_spec(fmt + 1, &spec, ap);
		switch (*fmt) {
		case 'd':
		case 'i':
			put_signed(sink, &spec, ap);
			break;
		case 'u':
			put_number(sink, &spec, next_unsigned(&spec, ap), 10, false, "");
			break;
		case 'x':
		case 'X':
			put_number(sink, &spec, next_unsigned(&spec, ap), 16, *fmt == 'X', "");
			break;
		case 'p':
			put_number(sink, &spec, (uintptr_t)va_arg(*ap, void *), 16, false, "0x");
			break;
		case 'c':
			text[0] = (char)va_arg(*ap, int);
			put_text(sink, &spec, text);
			break;
		case 's':
			put_text(sink, &spec, va_arg(*ap, const char *));
			break;
		case '\0':
			return;
		default:
			put(sink, *fmt);
			break;
		}
	}
}

void vprintk(const char *fmt, va_list ap)
{
	struct sink sink = {.buf = NULL};
	va_list copy;

	va_copy(copy, ap);
	format(&sink, fmt, &copy);
	va_end(copy);
}

void printk(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vprintk(fmt, ap);
	va_end(ap);
}

int vsnprintk(char *buf, size_t size, const char *fmt, va_list ap)
{
	char none[1];
	struct sink sink = {.buf = size == 0 ? none : buf, .size = size};
	va_list copy;

	va_copy(copy, ap);
	format(&sink, fmt, &copy);
	va_end(copy);
	if (size != 0) {
		buf[sink.length < size ? sink.length : size - 1] = '\0';
	}
	return (int)sink.length;
}

int snprintk(char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;
	int length;

	va_start(ap, fmt);
	length = vsnprintk(buf, size, fmt, ap);
	va_end(ap);
	return length;
}
