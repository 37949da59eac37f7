/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lib/printk.c beside this computer's C library: every combination of flags, of some widths
 * and precisions and of all modifiers, for the values where something changes, must come out
 * the same in text and length. A program of its own (test_printk_model.py), since tests that
 * are firmware have no C library to compare with. What C leaves undefined (0 or # where they
 * mean nothing) is left out, and so is %p, whose form every library chooses for itself.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <foliot/console.h>

static unsigned long compared;

void console_putc(char c)
{
	putchar(c);
}

#define COMPARE(format, ...)                                                           \
	do {                                                                           \
		char ours[128] = "";                                                   \
		char theirs[128] = "";                                                 \
		int length = snprintk(ours, sizeof(ours), format, __VA_ARGS__);        \
                                                                                       \
		if (length != snprintf(theirs, sizeof(theirs), format, __VA_ARGS__) || \
		    strcmp(ours, theirs) != 0) {                                       \
			printf("\"%s\": \"%s\", not \"%s\"\n", format, ours, theirs);  \
			exit(1);                                                       \
		}                                                                      \
		compared++;                                                            \
	} while (0)

static void compare_number(const char *format, const char *modifier, long long value)
{
	if (strcmp(modifier, "ll") == 0 || strcmp(modifier, "j") == 0) {
		COMPARE(format, value, "end");
	} else if (modifier[0] == 'l' || modifier[0] == 'z' || modifier[0] == 't') {
		COMPARE(format, (long)value, "end");
	} else {
		COMPARE(format, (int)value, "end");
	}
}

static void compare_numbers(const char *flags, const char *size)
{
	static const char *const modifiers[] = {"", "hh", "h", "l", "ll", "j", "z", "t"};
	static const long long values[] = {
		0, 1, -1, 7, 8, -128, 255, 65535, INT_MAX, INT_MIN, UINT_MAX, LLONG_MAX, LLONG_MIN};
	char format[64];

	for (const char *letter = "diuoxX"; *letter != '\0'; letter++) {
		if (strchr("diu", *letter) != NULL && strchr(flags, '#') != NULL) {
			continue;
		}
		for (unsigned int m = 0; m < sizeof(modifiers) / sizeof(modifiers[0]); m++) {
			(void)snprintf(format, sizeof(format), "[%%%s%s%s%c] %%s", flags, size,
				       modifiers[m], *letter);
			for (unsigned int v = 0; v < sizeof(values) / sizeof(values[0]); v++) {
				compare_number(format, modifiers[m], values[v]);
			}
		}
	}
}

static void compare_texts(const char *flags, const char *size)
{
	char format[64];

	if (strpbrk(flags, "#0+ ") != NULL) {
		return;
	}
	(void)snprintf(format, sizeof(format), "[%%%s%ss] %%s", flags, size);
	COMPARE(format, "", "end");
	COMPARE(format, "abcdef", "end");
	if (strchr(size, '.') == NULL) {
		(void)snprintf(format, sizeof(format), "[%%%s%sc] %%s", flags, size);
		COMPARE(format, 'c', "end");
	}
}

int main(void)
{
	static const char *const widths[] = {"", "1", "5", "12", "30"};
	static const char *const precisions[] = {"", ".", ".0", ".1", ".3", ".25"};

	for (unsigned int bits = 0; bits < 32; bits++) {
		char flags[6];
		int n = 0;

		for (int i = 0; i < 5; i++) {
			if ((bits & 1U << i) != 0) {
				flags[n++] = "#+0- "[i];
			}
		}
		flags[n] = '\0';
		for (unsigned int i = 0; i < 30; i++) {
			char size[16];

			(void)snprintf(size, sizeof(size), "%s%s", widths[i % 5],
				       precisions[i / 5]);
			compare_numbers(flags, size);
			compare_texts(flags, size);
		}
	}
	printf("printk_model: %lu texts, all the same\n", compared);
	return 0;
}
