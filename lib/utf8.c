/* SPDX-License-Identifier: Apache-2.0 */
/* Text in UTF-8: see include/zephyr/sys/util_utf8.h. */
#include <zephyr/sys/util_utf8.h>
#include <foliot/errno.h>
#include "lib/string.h"

#define CHAR_MAX_BYTES 4U

static bool is_continuation(char c)
{
	return ((unsigned char)c & 0xC0U) == 0x80U;
}

/* How many bytes a character has, by its first one; 0: none begins so. */
static size_t bytes_of(char first)
{
	unsigned char c = (unsigned char)first;

	if (c < 0x80U) {
		return 1;
	}
	if (c >= 0xC2U && c < 0xE0U) { /* below, it would be one of 7 bits */
		return 2;
	}
	if (c >= 0xE0U && c < 0xF0U) {
		return 3;
	}
	return c >= 0xF0U && c < 0xF5U ? 4 : 0; /* beyond, there are no characters */
}

char *utf8_trunc(char *utf8_str)
{
	size_t end = strlen(utf8_str);
	size_t bytes = 1;

	/* Bound: the bytes that a character can have. */
	while (bytes < CHAR_MAX_BYTES && bytes < end && is_continuation(utf8_str[end - bytes])) {
		bytes++;
	}
	if (end != 0 && bytes < bytes_of(utf8_str[end - bytes])) {
		utf8_str[end - bytes] = '\0';
	}
	return utf8_str;
}

char *utf8_lcpy(char *dst, const char *src, size_t n)
{
	size_t bytes = 0;

	if (n == 0) {
		return dst;
	}
	/* Bound: n. */
	while (bytes < n - 1U && src[bytes] != '\0') {
		dst[bytes] = src[bytes];
		bytes++;
	}
	dst[bytes] = '\0';
	return src[bytes] != '\0' ? utf8_trunc(dst) : dst;
}

int utf8_count_chars(const char *s)
{
	int count = 0;

	/* Bound: the bytes. */
	for (; *s != '\0'; count++) {
		size_t bytes = bytes_of(*s);

		if (bytes == 0) {
			return -EINVAL;
		}
		for (size_t i = 1; i < bytes; i++) { /* a 0 is none, and ends it */
			if (!is_continuation(s[i])) {
				return -EINVAL;
			}
		}
		s += bytes;
	}
	return count;
}
