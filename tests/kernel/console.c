/* SPDX-License-Identifier: Apache-2.0 */
/* Printing, and the memory and string functions behind it. */
#include "test.h"

void *memcpy(void *restrict dest, const void *restrict src, size_t n);
void *memmove(void *dest, const void *src, size_t n);
void *memset(void *dest, int c, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *s);
int strcmp(const char *a, const char *b);

TEST_SHARED static char text[64];

#define CHECK_TEXT(expected, ...)                                                          \
	do {                                                                               \
		CHECK_EQ(snprintk(text, sizeof(text), __VA_ARGS__), sizeof(expected) - 1); \
		CHECK(strcmp(text, expected) == 0);                                        \
	} while (0)

TEST_USER(printk_numbers)
{
	CHECK_TEXT("0 -1 2147483647", "%d %i %d", 0, -1, INT32_MAX);
	CHECK_TEXT("-2147483648", "%d", INT32_MIN);
	CHECK_TEXT("4294967295", "%u", UINT32_MAX);
	CHECK_TEXT("deadbeef DEADBEEF", "%x %X", 0xdeadbeefU, 0xdeadbeefU);
	CHECK_TEXT("18446744073709551615", "%llu", (unsigned long long)UINT64_MAX);
	CHECK_TEXT("-9223372036854775808", "%lld", (long long)INT64_MIN);
	CHECK_TEXT("123456789 1000", "%ld %zu", 123456789L, (size_t)1000);
}

TEST_USER(printk_width_and_padding)
{
	CHECK_TEXT("[   42] [42   ] [00042]", "[%5d] [%-5d] [%05d]", 42, 42, 42);
	CHECK_TEXT("[  -42] [-0042]", "[%5d] [%05d]", -42, -42);
	CHECK_TEXT("[00ff] [  7]", "[%04x] [%*d]", 0xff, 3, 7);
	CHECK_TEXT("123456", "%3d", 123456);
}

/* Each is followed by a text, which is found only if the one before took its argument. */
TEST_USER(printk_flags)
{
	CHECK_TEXT("0x10 0XBEEF 0 ok", "%#x %#X %#x %s", 16U, 0xbeefU, 0U, "ok");
	CHECK_TEXT("17 017 0 ok", "%o %#o %#o %s", 017U, 017U, 0U, "ok");
	CHECK_TEXT("+5 -5 +0 ok", "%+d %+d %+i %s", 5, -5, 0, "ok");
	CHECK_TEXT(" 5 -5 ok", "% d % d %s", 5, -5, "ok");
	CHECK_TEXT("[0x00ff] [  0xff] [0xff  ] ok", "[%#06x] [%#6x] [%-#6x] %s", 255U, 255U, 255U,
		   "ok");
	CHECK_TEXT("[+0042] [  +42] [+42  ] ok", "[%+05d] [%+5d] [%-+5d] %s", 42, 42, 42, "ok");
	CHECK_TEXT("[ 0042] [ 42  ] ok", "[% 05d] [%- 5d] %s", 42, 42, "ok");
	CHECK_TEXT("[7    ] [    7] ok", "[%*d] [%*d] %s", -5, 7, 5, 7, "ok");
}

/* That this compiles is the test: the attributes of printk() are checked on every board. */
TEST_USER(printk_of_32_bits)
{
	int32_t least = INT32_MIN;
	uint32_t most = UINT32_MAX;

	CHECK_TEXT("-2147483648 2147483647 7", "%d %i %d", least, INT32_MAX, INT32_C(7));
	CHECK_TEXT("4294967295 ffffffff 7", "%u %x %u", most, UINT32_MAX, UINT32_C(7));
	CHECK_TEXT("-2147483648 4294967295", "%d %u", (int_least32_t)least, (uint_least32_t)most);
}

TEST_USER(printk_precision)
{
	CHECK_TEXT("[00042] [-00042] [   042] ok", "[%.5d] [%.5d] [%6.3d] %s", 42, -42, 42, "ok");
	CHECK_TEXT("[] [] [ ] [0] ok", "[%.0d] [%.0x] [%1.0u] [%#.0o] %s", 0, 0U, 0U, 0U, "ok");
	CHECK_TEXT("[0x00ff] [42] ok", "[%#.4x] [%.*d] %s", 255U, -1, 42, "ok");
	CHECK_TEXT("[] [ab] ok", "[%.s] [%.*s] %s", "abc", 2, "abc", "ok");
}

TEST_USER(printk_modifiers)
{
	CHECK_TEXT("-1 255 -1 65535 ok", "%hhd %hhu %hd %hu %s", 255, 511, 65535, 0x1ffff, "ok");
	CHECK_TEXT("-2 -3 4 5 ok", "%ld %td %zu %ju %s", -2L, (ptrdiff_t)-3, (size_t)4,
		   (uintmax_t)5, "ok");
	CHECK_TEXT("0xffffffffffffffff ok", "%#llx %s", (unsigned long long)UINT64_MAX, "ok");
}

/* At run time: the compiler refuses most of these where it sees them. */
TEST_USER(printk_of_what_it_does_not_know)
{
	const char *unknown = "%y %s";
	const char *flagged = "[%-#5.3y] [%+*ly] %s";
	const char *counted = "%n %lly %s";
	int none = 0;

	CHECK_TEXT("%y ok", unknown, 1, "ok");
	CHECK_TEXT("[%-#5.3y] [%+*ly] ok", flagged, 1, 2, 3L, "ok");
	CHECK_TEXT("%n %lly ok", counted, (void *)&none, 1LL, "ok");
	CHECK_EQ(none, 0);
}

/* Where floating point is off, the compiler passes no such arguments, and none are skipped. */
#if (defined(__aarch64__) && !defined(__ARM_FP)) || (defined(__x86_64__) && !defined(__SSE__))
#define FLOATS(d, e, f, l)
#else
#define FLOATS(d, e, f, l) d, e, f, l,
#endif

TEST_USER(printk_of_floating_point)
{
	const char *floating = "%f %5.2e %+A %Lg %s";

	CHECK_TEXT("%f %5.2e %+A %Lg ok", floating, FLOATS(1.0, 2.0, 3.0, 4.0L) "ok");
}

TEST_USER(printk_of_what_ends_too_soon)
{
	const char *percent = "5 %";
	const char *flags = "%s %-#08.3l";

	CHECK_TEXT("5 %", percent, 0);
	CHECK_TEXT("ok %-#08.3l", flags, "ok");
}

TEST_USER(printk_text)
{
	const char *volatile no_text = NULL;

	CHECK_TEXT("a bc 100%", "%c %s %d%%", 'a', "bc", 100);
	CHECK_TEXT("[  abc] [abc  ] [ab]", "[%5s] [%-5s] [%.2s]", "abc", "abc", "abc");
	CHECK_TEXT("[abc]", "[%.*s]", 3, "abcdef");
	CHECK_EQ(snprintk(text, sizeof(text), "a%cb", '\0'), 3); /* as C does */
	CHECK(memcmp(text, "a\0b", 4) == 0);
	CHECK_TEXT("(null)", "%s", no_text);
}

TEST_USER(printk_cuts_and_tells_how_long_it_was)
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

TEST_USER(printk_in_an_isr)
{
	in_isr(print_in_isr, NULL);
}

/* Every small size and alignment: word copies must not write beside. */
TEST_USER(string_functions)
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

/* Printing divides, and where the core can't, the port may do it in its own way (divide_v6m.S). */
TEST_USER(printk_numbers_are_divided_exactly)
{
	static const uint64_t values[] = {0,
					  1,
					  9,
					  10,
					  0x7FFFFFFF,
					  0x80000000,
					  0xFFFFFFFF,
					  0x100000000,
					  0x123456789ABCDEF0,
					  INT64_MAX,
					  0x8000000000000000,
					  UINT64_MAX};
	unsigned int wrong = 0;

	for (unsigned int i = 0; i < ARRAY_SIZE(values); i++) {
		for (unsigned int j = 1; j < ARRAY_SIZE(values); j++) {
			volatile uint64_t a = values[i], b = values[j];
			volatile int64_t c = (int64_t)values[i], d = (int64_t)values[j];
			volatile uint32_t e = (uint32_t)a, f = (uint32_t)b;

			wrong += a / b * b + a % b != a || a % b >= b;
			if (d != -1) { /* else the least number has no quotient */
				wrong += c / d * d + c % d != c ||
					 (c % d != 0 && (c % d < 0) != (c < 0));
				wrong += c / d != 0 && (c / d < 0) != ((c < 0) != (d < 0));
			}
			wrong += f != 0 && (e / f * f + e % f != e || e % f >= f);
		}
	}
	CHECK_EQ(wrong, 0);
}
