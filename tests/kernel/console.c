/* SPDX-License-Identifier: Apache-2.0 */
/* Printing, and the memory and string functions behind it. */
#include "test.h"

void *memcpy(void *restrict dest, const void *restrict src, size_t n);
void *memmove(void *dest, const void *src, size_t n);
void *memset(void *dest, int c, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *s);
int strcmp(const char *a, const char *b);

static char text[64];

#define CHECK_TEXT(expected, ...)                                                          \
	do {                                                                               \
		CHECK_EQ(snprintk(text, sizeof(text), __VA_ARGS__), sizeof(expected) - 1); \
		CHECK(strcmp(text, expected) == 0);                                        \
	} while (0)

TEST(printk_numbers)
{
	CHECK_TEXT("0 -1 2147483647", "%d %i %d", 0, -1, (int)INT32_MAX);
	CHECK_TEXT("-2147483648", "%d", (int)INT32_MIN);
	CHECK_TEXT("4294967295", "%u", (unsigned int)UINT32_MAX);
	CHECK_TEXT("deadbeef DEADBEEF", "%x %X", 0xdeadbeefU, 0xdeadbeefU);
	CHECK_TEXT("18446744073709551615", "%llu", (unsigned long long)UINT64_MAX);
	CHECK_TEXT("-9223372036854775808", "%lld", (long long)INT64_MIN);
	CHECK_TEXT("123456789 1000", "%ld %zu", 123456789L, (size_t)1000);
}

TEST(printk_width_and_padding)
{
	CHECK_TEXT("[   42] [42   ] [00042]", "[%5d] [%-5d] [%05d]", 42, 42, 42);
	CHECK_TEXT("[  -42] [-0042]", "[%5d] [%05d]", -42, -42);
	CHECK_TEXT("[00ff] [  7]", "[%04x] [%*d]", 0xff, 3, 7);
	CHECK_TEXT("123456", "%3d", 123456);
}

TEST(printk_text)
{
	CHECK_TEXT("a bc 100%", "%c %s %d%%", 'a', "bc", 100);
	CHECK_TEXT("[  abc] [abc  ] [ab]", "[%5s] [%-5s] [%.2s]", "abc", "abc", "abc");
	CHECK_TEXT("[abc]", "[%.*s]", 3, "abcdef");
}

TEST(printk_cuts_and_tells_how_long_it_was)
{
	char small[4] = "xyz";

	CHECK_EQ(snprintk(small, sizeof(small), "%s", "abcdef"), 6);
	CHECK(strcmp(small, "abc") == 0);
	CHECK_EQ(snprintk(small, 0, "abc"), 3);
	CHECK(strcmp(small, "abc") == 0);
	CHECK_EQ(snprintk(small, 1, "abc"), 3);
	CHECK_EQ(small[0], 0);
}

static void print_in_isr(void *arg)
{
	printk("printed in %s\n", "an ISR");
}

TEST(printk_in_an_isr)
{
	in_isr(print_in_isr, NULL);
}

/* Every small size and alignment: word copies must not write beside. */
TEST(string_functions)
{
	char from[24];
	char to[24];

	for (size_t offset = 0; offset < 8; offset++) {
		for (size_t n = 0; n <= 16; n++) {
			for (size_t i = 0; i < sizeof(from); i++) {
				from[i] = (char)('a' + i);
				to[i] = '.';
			}
			CHECK(memcpy(to + offset, from + 3, n) == to + offset);
			CHECK(memcmp(to + offset, from + 3, n) == 0);
			CHECK(offset == 0 || to[offset - 1] == '.');
			CHECK(offset + n == sizeof(to) || to[offset + n] == '.');
			CHECK(memmove(from + offset, from + 2, n) == from + offset);
			CHECK(n == 0 || from[offset] == 'c');
			CHECK(n == 0 || from[offset + n - 1] == (char)('a' + 2 + n - 1));
			CHECK(memset(to + offset, 'z', n) == to + offset);
			CHECK(n == 0 || (to[offset] == 'z' && to[offset + n - 1] == 'z'));
		}
	}
	CHECK_EQ(strlen(""), 0);
	CHECK_EQ(strlen("four"), 4);
	CHECK(strcmp("a", "b") < 0 && strcmp("b", "a") > 0 && strcmp("ab", "a") > 0);
	CHECK(memcmp("a\xff", "a\x01", 2) > 0);
}
