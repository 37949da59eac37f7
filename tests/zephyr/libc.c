/* SPDX-License-Identifier: Apache-2.0 */
/* What programs include of C's library: ours on boards, this computer's on `host`, which must say the same. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include "test.h"

/* The compiler warns where it knows that something is cut. */
static volatile size_t two = 2;
static volatile size_t three = 3;
static volatile size_t four = 4;
static volatile size_t nine = 9;

TEST(libc_strings)
{
	char text[16];

	CHECK_EQ(strnlen("abc", 2) * 10 + strnlen("abc", nine), 23);
	/* What these two are for, and what is wrong with them, is known. NOLINTBEGIN */
	CHECK(strcmp(strcpy(text, "abc"), "abc") == 0);
	CHECK(strcmp(strcat(text, "de"), "abcde") == 0); /* NOLINTEND */
	CHECK(strcmp(strncat(text, "fgh", two), "abcdefg") == 0);
	CHECK(strncmp("abcd", "abce", 3) == 0 && strncmp("abcd", "abce", 4) < 0);
	CHECK(strncmp("\x80", "a", 1) > 0 && strncmp("a", "ab", 9) < 0);
	CHECK(strchr(text, 'c') == &text[2] && strchr(text, '\0') == &text[7]);
	CHECK(strchr(text, 'x') == NULL && memchr(text, 'c', 2) == NULL);
	CHECK(strrchr("abab", 'a')[1] == 'b' && strrchr(text, 'x') == NULL);
	CHECK(strstr(text, "cde") == &text[2] && strstr(text, "") == text);
	CHECK(strstr(text, "gh") == NULL);
	(void)memset(text, 'x', sizeof(text));
	(void)strncpy(text, "ab", four);
	CHECK_EQ(memcmp(text, "ab\0\0x", 5), 0);
	(void)strncpy(text, "uvwxyz", three);
	CHECK_EQ(memcmp(text, "uvw\0", 4), 0);
}

TEST(libc_numbers)
{
	char text[40];
	char *end;

	CHECK_EQ(strtol(" -12x", &end, 10), -12);
	CHECK_EQ(*end, 'x');
	CHECK_EQ(strtol("0x1Fg", &end, 0), 31);
	CHECK_EQ(*end, 'g');
	CHECK_EQ(strtol("0xg", &end, 16) + *end, 'x');
	CHECK_EQ(strtol("017", NULL, 0) * 100 + strtol("+17", NULL, 0), 1517);
	CHECK_EQ(strtol("zz", NULL, 36), 35 * 36 + 35);
	CHECK_EQ(strtol("-", &end, 10) + *end, '-');
	CHECK(strtol("99999999999999999999", NULL, 10) == LONG_MAX);
	CHECK(strtol("-99999999999999999999", NULL, 10) == LONG_MIN);
	CHECK(strtoul("99999999999999999999", &end, 10) == ULONG_MAX && *end == '\0');
	CHECK(strtoul("-1", NULL, 10) == ULONG_MAX);
	(void)snprintk(text, sizeof(text), "%ld", LONG_MIN);
	CHECK(strtol(text, NULL, 10) == LONG_MIN);
	CHECK(llabs(-0x123456789abLL) == 0x123456789abLL && llabs(7) == 7);
	CHECK_EQ(atoi("42") + abs(-8) + labs(-50L), 100);
	CHECK_EQ(snprintf(text, four, "%" PRIu32 "-%" PRIx64, UINT32_C(12), UINT64_C(0xFF)), 5);
	CHECK_EQ(strcmp(text, "12-"), 0);
	CHECK_EQ(sprintf(text, "%s %d", "it is", 7), 7);
	CHECK(isdigit('7') && !isdigit('x') && isxdigit('f') && !isxdigit('g') && isspace('\n'));
	CHECK(toupper('a') == 'A' && tolower('Z') == 'z' && toupper('1') == '1');
	CHECK_EQ(sizeof(ssize_t), sizeof(size_t));
}

TEST(libc_printing_and_memory)
{
	char *block = calloc(4, 5);
	char *grown;

	CHECK(block != NULL && block[19] == 0);
	grown = realloc(block, 50);
	CHECK(grown != NULL);
	free(grown != NULL ? grown : block);
	free(NULL);
	srand(7);
	CHECK(rand() >= 0);
	CHECK_EQ(printf("# %d\n", 1234), 7);
}
