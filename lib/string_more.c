/* SPDX-License-Identifier: Apache-2.0 */
/* Strings that programs use and the kernel does not. */
#include <string.h>

void *memchr(const void *s, int c, size_t n)
{
	const unsigned char *at = s;

	/* Bound: n. */
	for (; n != 0; n--, at++) {
		if (*at == (unsigned char)c) {
			return (void *)at;
		}
	}
	return NULL;
}

size_t strnlen(const char *s, size_t n)
{
	const char *end = memchr(s, '\0', n);

	return end != NULL ? (size_t)(end - s) : n;
}

int strncmp(const char *a, const char *b, size_t n)
{
	/* Bound: n. */
	for (; n != 0; n--, a++, b++) {
		if (*a != *b || *a == '\0') {
			return (int)(unsigned char)*a - (int)(unsigned char)*b;
		}
	}
	return 0;
}

char *strcpy(char *__restrict dest, const char *__restrict src)
{
	return memcpy(dest, src, strlen(src) + 1U);
}

char *strncpy(char *__restrict dest, const char *__restrict src, size_t n)
{
	size_t length = strnlen(src, n);

	memcpy(dest, src, length);
	memset(&dest[length], 0, n - length);
	return dest;
}

char *strcat(char *__restrict dest, const char *__restrict src)
{
	memcpy(&dest[strlen(dest)], src, strlen(src) + 1U);
	return dest;
}

char *strncat(char *__restrict dest, const char *__restrict src, size_t n)
{
	size_t length = strnlen(src, n);
	char *end = &dest[strlen(dest)];

	memcpy(end, src, length);
	end[length] = '\0';
	return dest;
}

char *strchr(const char *s, int c)
{
	return memchr(s, c, strlen(s) + 1U);
}

char *strrchr(const char *s, int c)
{
	/* Bound: the string's length. */
	for (size_t i = strlen(s) + 1U; i != 0; i--) {
		if (s[i - 1U] == (char)c) {
			return (char *)&s[i - 1U];
		}
	}
	return NULL;
}

char *strstr(const char *s, const char *wanted)
{
	size_t length = strlen(wanted);

	/* Bound: the string's length. */
	for (; strncmp(s, wanted, length) != 0; s++) {
		if (*s == '\0') {
			return NULL;
		}
	}
	return (char *)s;
}
