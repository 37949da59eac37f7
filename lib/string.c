/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory and string functions: plain, a word at a time where both sides are aligned.
 * The kernel copies messages of a few words; nothing here is worth an assembly file.
 */
#include <stdint.h>
#include "lib/string.h"

typedef uintptr_t __attribute__((may_alias)) word_t;

#define WORD         sizeof(word_t)
#define UNALIGNED(p) ((uintptr_t)(p) % WORD != 0)

void *memcpy(void *restrict dest, const void *restrict src, size_t n)
{
	char *d = dest;
	const char *s = src;

	if (!UNALIGNED(d) && !UNALIGNED(s)) {
		/* Bound: N / 4. */
		for (; n >= WORD; n -= WORD, d += WORD, s += WORD) {
			*(word_t *)d = *(const word_t *)s;
		}
	}
	/* Bound: N - 4 * ABOVE. */
	while (n-- != 0) {
		*d++ = *s++;
	}
	return dest;
}

void *memmove(void *dest, const void *src, size_t n)
{
	char *d = dest;
	const char *s = src;

	if (d <= s) {
		while (n-- != 0) {
			*d++ = *s++;
		}
	} else {
		while (n-- != 0) {
			d[n] = s[n];
		}
	}
	return dest;
}

void *memset(void *dest, int c, size_t n)
{
	char *d = dest;
	word_t pattern = (unsigned char)c * (~(word_t)0 / 255U);

	if (!UNALIGNED(d)) {
		/* Bound: N / 4. */
		for (; n >= WORD; n -= WORD, d += WORD) {
			*(word_t *)d = pattern;
		}
	}
	/* Bound: N - 4 * ABOVE. */
	while (n-- != 0) {
		*d++ = (char)c;
	}
	return dest;
}

int memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *x = a;
	const unsigned char *y = b;

	for (; n != 0; n--, x++, y++) {
		if (*x != *y) {
			return *x - *y;
		}
	}
	return 0;
}

size_t strlen(const char *s)
{
	size_t n = 0;

	while (s[n] != '\0') {
		n++;
	}
	return n;
}

int strcmp(const char *a, const char *b)
{
	while (*a != '\0' && *a == *b) {
		a++;
		b++;
	}
	return (unsigned char)*a - (unsigned char)*b;
}
