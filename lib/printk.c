/* SPDX-License-Identifier: Apache-2.0 */
/* printk and snprintk: one formatter, two sinks. See include/foliot/console.h. */
#include <foliot/console.h>
#include "lib/also_link.h"
#include "lib/string.h"

/* Who prints is told of a fatal error in words: kernel/base/fatal.h. */
#ifdef CONFIG_FAULT_REPORT
ALSO_LINK(fatal_print_words);
#endif

struct sink {
	char *buf;    /* NULL: the console */
	size_t size;
	size_t length;
};

enum length {
	LENGTH_CHAR,
	LENGTH_SHORT,
	LENGTH_INT,
	LENGTH_LONG, /* and size_t, ptrdiff_t */
	LENGTH_LONG_LONG,
};

struct spec {
	bool left;
	bool zero;
	bool alternative;
	char plus; /* in front of what is not negative: '+', ' ', or 0 */
	int width;
	int precision; /* -1: none */
	enum length length;
};

static void put(struct sink *sink, char c)
{
	if (sink->buf == NULL) {
		console_putc(c);
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

static void put_text(struct sink *sink, const struct spec *spec, const char *text, int n)
{
	pad(sink, ' ', spec->left ? 0 : spec->width - n);
	for (int i = 0; i < n; i++) {
		put(sink, text[i]);
	}
	pad(sink, ' ', spec->left ? spec->width - n : 0);
}

static void put_string(struct sink *sink, const struct spec *spec, const char *text)
{
	int n = 0;

	if (text == NULL) {
		text = "(null)";
	}
	while ((spec->precision < 0 || n < spec->precision) && text[n] != '\0') {
		n++;
	}
	put_text(sink, spec, text, n);
}

/* `prefix`: sign or base. A precision is the fewest digits, and then '0' does not pad. */
static void put_number(struct sink *sink, const struct spec *spec, unsigned long long value,
		       unsigned int base, bool upper, const char *prefix)
{
	const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
	char text[24]; /* 64 bits are 22 octal digits */
	int prefix_length = (int)strlen(prefix);
	int zeros;
	int n = 0;
	int total;

	for (; value != 0; value /= base) {
		text[n++] = digits[value % base];
	}
	zeros = (spec->precision < 0 ? 1 : spec->precision) - n;
	if (base == 8 && spec->alternative && zeros <= 0) {
		zeros = 1;
	}
	if (spec->zero && !spec->left && spec->precision < 0) {
		zeros = MAX(zeros, spec->width - prefix_length - n);
	}
	total = prefix_length + MAX(zeros, 0) + n;
	pad(sink, ' ', spec->left ? 0 : spec->width - total);
	while (*prefix != '\0') {
		put(sink, *prefix++);
	}
	pad(sink, '0', zeros);
	while (n > 0) {
		put(sink, text[--n]);
	}
	pad(sink, ' ', spec->left ? spec->width - total : 0);
}

/* A decimal number, as far as it goes; what is too large for any output stays there. */
static const char *parse_int(const char *fmt, int *value)
{
	for (*value = 0; *fmt >= '0' && *fmt <= '9'; fmt++) {
		*value = *value > INT32_MAX / 10 - 1 ? *value : *value * 10 + (*fmt - '0');
	}
	return fmt;
}

static const char *parse_flags(const char *fmt, struct spec *spec)
{
	for (;; fmt++) {
		switch (*fmt) {
		case '-':
			spec->left = true;
			break;
		case '0':
			spec->zero = true;
			break;
		case '#':
			spec->alternative = true;
			break;
		case '+':
			spec->plus = '+';
			break;
		case ' ':
			spec->plus = spec->plus == '+' ? '+' : ' ';
			break;
		default:
			return fmt;
		}
	}
}

static const char *parse_length(const char *fmt, struct spec *spec)
{
	spec->length = LENGTH_INT;
	for (;; fmt++) {
		switch (*fmt) {
		case 'h':
			spec->length = spec->length == LENGTH_SHORT ? LENGTH_CHAR : LENGTH_SHORT;
			break;
		case 'l':
			spec->length = spec->length == LENGTH_LONG ? LENGTH_LONG_LONG : LENGTH_LONG;
			break;
		case 'z':
		case 't':
			spec->length = LENGTH_LONG;
			break;
		case 'j':
		case 'L':
			spec->length = LENGTH_LONG_LONG;
			break;
		default:
			return fmt;
		}
	}
}

/* Of what stands behind a '%'. Returns where the conversion's letter is. */
static const char *parse_spec(const char *fmt, struct spec *spec, va_list *ap)
{
	*spec = (struct spec){.precision = -1};
	fmt = parse_flags(fmt, spec);
	if (*fmt == '*') {
		spec->width = va_arg(*ap, int);
		fmt++;
		if (spec->width < 0) {
			spec->left = true;
			spec->width = spec->width < -INT32_MAX ? INT32_MAX : -spec->width;
		}
	} else {
		fmt = parse_int(fmt, &spec->width);
	}
	if (*fmt == '.' && fmt[1] == '*') {
		spec->precision = va_arg(*ap, int); /* negative is as if there were none */
		fmt += 2;
	} else if (*fmt == '.') {
		fmt = parse_int(fmt + 1, &spec->precision);
	}
	return parse_length(fmt, spec);
}

static unsigned long long next_unsigned(const struct spec *spec, va_list *ap)
{
	switch (spec->length) {
	case LENGTH_CHAR:
		return (unsigned char)va_arg(*ap, unsigned int);
	case LENGTH_SHORT:
		return (unsigned short)va_arg(*ap, unsigned int);
	case LENGTH_LONG:
		return va_arg(*ap, unsigned long);
	case LENGTH_LONG_LONG:
		return va_arg(*ap, unsigned long long);
	default:
		return va_arg(*ap, unsigned int);
	}
}

static long long next_signed(const struct spec *spec, va_list *ap)
{
	switch (spec->length) {
	case LENGTH_CHAR:
		return (signed char)va_arg(*ap, int);
	case LENGTH_SHORT:
		return (short)va_arg(*ap, int);
	case LENGTH_LONG:
		return va_arg(*ap, long);
	case LENGTH_LONG_LONG:
		return va_arg(*ap, long long);
	default:
		return va_arg(*ap, int);
	}
}

static void put_signed(struct sink *sink, const struct spec *spec, long long value)
{
	const char sign[2] = {value < 0 ? '-' : spec->plus, '\0'};
	unsigned long long bits = (unsigned long long)value;

	put_number(sink, spec, value < 0 ? 0 - bits : bits, 10, false, sign);
}

static void put_hex(struct sink *sink, const struct spec *spec, unsigned long long value,
		    bool upper)
{
	const char *prefix = upper ? "0X" : "0x";

	put_number(sink, spec, value, 16, upper, spec->alternative && value != 0 ? prefix : "");
}

#if (defined(__aarch64__) && !defined(__ARM_FP)) || (defined(__x86_64__) && !defined(__SSE__))
/* Floating point is off in this build (-mgeneral-regs-only): nobody can pass such an argument. */
static void skip_floating(const struct spec *spec, va_list *ap)
{
}
#else
static void skip_floating(const struct spec *spec, va_list *ap)
{
	if (spec->length == LENGTH_LONG_LONG) {
		(void)va_arg(*ap, long double);
	} else {
		(void)va_arg(*ap, double);
	}
}
#endif

/* Take the argument of a conversion that is not printed, so that the next finds its own. */
static void skip_argument(char conversion, const struct spec *spec, va_list *ap)
{
	switch (conversion | ('a' - 'A')) { /* lower case */
	case 'e':
	case 'f':
	case 'g':
	case 'a':
		skip_floating(spec, ap);
		break;
	case 'n':
		(void)va_arg(*ap, void *);
		break;
	default:
		(void)next_unsigned(spec, ap);
		break;
	}
}

static void put_character(struct sink *sink, const struct spec *spec, int character)
{
	const char text = (char)character;

	put_text(sink, spec, &text, 1);
}

/* One conversion; false if there is none of that letter. */
static bool convert(struct sink *sink, char conversion, const struct spec *spec, va_list *ap)
{
	switch (conversion) {
	case 'd':
	case 'i':
		put_signed(sink, spec, next_signed(spec, ap));
		return true;
	case 'u':
		put_number(sink, spec, next_unsigned(spec, ap), 10, false, "");
		return true;
	case 'o':
		put_number(sink, spec, next_unsigned(spec, ap), 8, false, "");
		return true;
	case 'x':
	case 'X':
		put_hex(sink, spec, next_unsigned(spec, ap), conversion == 'X');
		return true;
	case 'p':
		put_number(sink, spec, (uintptr_t)va_arg(*ap, void *), 16, false, "0x");
		return true;
	case 'c':
		put_character(sink, spec, va_arg(*ap, int));
		return true;
	case 's':
		put_string(sink, spec, va_arg(*ap, const char *));
		return true;
	case '%':
		put(sink, '%');
		return true;
	default:
		return false;
	}
}

static void format(struct sink *sink, const char *fmt, va_list *ap)
{
	while (*fmt != '\0') {
		const char *begin = fmt++;
		struct spec spec;

		if (*begin != '%') {
			put(sink, *begin);
			continue;
		}
		fmt = parse_spec(fmt, &spec, ap);
		if (*fmt != '\0' && convert(sink, *fmt, &spec, ap)) {
			fmt++;
			continue;
		}
		if (*fmt != '\0') {
			skip_argument(*fmt++, &spec, ap);
		}
		while (begin < fmt) {
			put(sink, *begin++); /* as it stands */
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
