/* SPDX-License-Identifier: Apache-2.0 */
/* What programs use of stdlib.h: the system heap, numbers, and the end of the run. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <foliot/fatal.h>
#include <foliot/heap.h>

void *malloc(size_t size)
{
	return k_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return k_calloc(n, size);
}

void *realloc(void *block, size_t size)
{
	return k_realloc(block, size);
}

void free(void *block)
{
	k_free(block);
}

int abs(int x)
{
	return x < 0 ? -x : x;
}

long labs(long x)
{
	return x < 0 ? -x : x;
}

long long llabs(long long x)
{
	return x < 0 ? -x : x;
}

static unsigned int digit_of(char c)
{
	if (isdigit(c)) {
		return (unsigned int)(c - '0');
	}
	return isalpha(c) ? (unsigned int)(tolower(c) - 'a') + 10U : UINT_MAX;
}

/* The number without its sign; *over: it is more than fits. */
static unsigned long magnitude(const char *s, char **end, unsigned int base, bool *negative,
			       bool *over)
{
	const char *start = s;
	unsigned long value = 0;

	*over = false;
	/* Bound: the string's length; here and below. */
	while (isspace(*s)) {
		s++;
	}
	*negative = *s == '-';
	if (*s == '-' || *s == '+') {
		s++;
	}
	if ((base == 0 || base == 16) && s[0] == '0' && tolower(s[1]) == 'x' &&
	    digit_of(s[2]) < 16) {
		s += 2;
		base = 16;
	}
	if (base == 0) {
		base = *s == '0' ? 8 : 10;
	}
	if (digit_of(*s) < base) {
		start = NULL;
	}
	for (; digit_of(*s) < base; s++) {
		*over |= __builtin_mul_overflow(value, (unsigned long)base, &value);
		*over |= __builtin_add_overflow(value, (unsigned long)digit_of(*s), &value);
	}
	if (end != NULL) {
		*end = (char *)(start != NULL ? start : s);
	}
	return value;
}

unsigned long strtoul(const char *__restrict s, char **__restrict end, int base)
{
	bool negative;
	bool over;
	unsigned long value = magnitude(s, end, (unsigned int)base, &negative, &over);

	if (over) {
		return ULONG_MAX;
	}
	return negative ? 0UL - value : value;
}

long strtol(const char *__restrict s, char **__restrict end, int base)
{
	bool negative;
	bool over;
	unsigned long value = magnitude(s, end, (unsigned int)base, &negative, &over);

	if (negative) {
		return over || value > (unsigned long)LONG_MAX ? LONG_MIN : -(long)value;
	}
	return over || value > (unsigned long)LONG_MAX ? LONG_MAX : (long)value;
}

int atoi(const char *s)
{
	return (int)strtol(s, NULL, 10);
}

static unsigned int random_state = 1;

int rand(void)
{
	random_state = random_state * 1103515245U + 12345U;
	return (int)(random_state >> 17U);
}

void srand(unsigned int seed)
{
	random_state = seed;
}

void exit(int status)
{
	k_exit(status);
}

void abort(void)
{
	k_panic();
	k_exit(1);
}
