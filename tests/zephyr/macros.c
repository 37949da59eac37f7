/* SPDX-License-Identifier: Apache-2.0 */
/* The preprocessor's choices and loops, constants, digits and orders of bytes. */
#include <zephyr/sys/byteorder.h>
#include <zephyr/sys/util.h>
#include "lib/string.h"
#include "test.h"

#define OPTION_ON      1
#define TEN            10
#define SQUARE(x)      (x) * (x)
#define PLUS(i, x)     +(i) * (x)
#define SUM(x, by)     +(x) * (by)
#define IDX(i, x, by)  +((i) + (x)) * (by)
#define LETTER(i, ...) #i __VA_ARGS__
#define JOINED(x)      x##_
#define NOTHING

static const int numbers[] = {FOR_EACH(IDENTITY, (, ), 4, 5, 6)};
static const int squares[] = {LISTIFY(64, SQUARE, (, ))};

TEST_USER(macros_choose)
{
	CHECK_EQ(COND_CODE_1(OPTION_ON, (7), (8)), 7);
	CHECK_EQ(COND_CODE_1(OPTION_OFF, (7), (8)), 8);
	CHECK_EQ(COND_CODE_1(0, (7, 1), (8)), 8);
	CHECK_EQ(COND_CODE_0(0, (7), (8)), 7);
	CHECK_EQ(COND_CODE_0(OPTION_ON, (7), (8)), 8);
	CHECK_EQ(GET_ARG_N(2, IF_ENABLED(OPTION_ON, (2, 3))), 3);
	CHECK_EQ(1 IF_ENABLED(OPTION_OFF, (+2)) IF_DISABLED(OPTION_OFF, (+4)), 5);
	CHECK_EQ(UTIL_AND(OPTION_ON, 5) + UTIL_AND(0, 6) + UTIL_OR(0, 7) + UTIL_OR(1, 8),
		 5 + 7 + 1);
	CHECK_EQ(UTIL_NOT(0) * 10 + UTIL_NOT(3), 10);
	CHECK_EQ(UTIL_BOOL(3) * 10 + UTIL_BOOL(0), 10);
	CHECK_EQ(IS_EQ(TEN, 10) * 10 + IS_EQ(TEN, 1), 10);
	CHECK_EQ(IS_EMPTY() * 100 + IS_EMPTY(NOTHING) * 10 + IS_EMPTY(x), 110);
	CHECK_EQ(IS_ENABLED(OPTION_ON) * 10 + IS_ENABLED(OPTION_OFF), 10);
}

TEST_USER(macros_choose_among_several)
{
	CHECK_EQ(COND_CASE_1((9)), 9);
	CHECK_EQ(COND_CASE_1(OPTION_ON, (7), OPTION_ON, (no such name), (8)), 7);
	CHECK_EQ(COND_CASE_1(OPTION_OFF, (no such name), OPTION_ON, (7), (8)), 7);
	CHECK_EQ(COND_CASE_1(0, (1), OPTION_OFF, (2), (3)), 3);
	CHECK_EQ(COND_CASE_1(0, (1), 0, (2), 0, (3), 0, (4), 0, (5), 0, (6), 0, (7), 1, (8), (9)),
		 8);
	CHECK_EQ(COND_CASE_1(0, (1), IS_EQ(TEN, 10), (GET_ARG_N(2, 4, 5)), (9)), 5);
	CHECK_EQ(GET_ARG_N(2, COND_CASE_1(0, (1), 1, (2, 3), (4))), 3);
}

TEST_USER(macros_count_and_pick)
{
	CHECK_EQ(NUM_VA_ARGS(), 0);
	CHECK_EQ(NUM_VA_ARGS(a), 1);
	CHECK_EQ(NUM_VA_ARGS(LISTIFY(63, UTIL_INC, (, ))), 63);
	CHECK_EQ(NUM_VA_ARGS_LESS_1(a, b, c), 2);
	CHECK_EQ(GET_ARG_N(1, 10, 20, 30) + GET_ARG_N(3, 10, 20, 30), 40);
	CHECK_EQ(NUM_VA_ARGS(GET_ARGS_LESS_N(2, 10, 20, 30)), 1);
	CHECK_EQ(GET_ARG_N(1, GET_ARGS_LESS_N(2, 10, 20, 30)), 30);
	CHECK_EQ(GET_ARG_N(2, REVERSE_ARGS(1, 2, 3, 4)), 3);
	CHECK_EQ(NUM_VA_ARGS(LIST_DROP_EMPTY(, a, , b, )), 2);
	CHECK_EQ(NUM_VA_ARGS(LIST_DROP_EMPTY(, )), 0);
	CHECK_EQ(UTIL_INC(UTIL_INC(TEN)) * 100 + UTIL_DEC(TEN), 1209);
	CHECK_EQ(UTIL_CAT(1, TEN), 110);
	CHECK_EQ(CONCAT(1, 2, TEN), 1210);
}

TEST_USER(macros_loop)
{
	CHECK_EQ(ARRAY_SIZE(numbers), 3);
	CHECK_EQ(numbers[2], 6);
	CHECK_EQ(ARRAY_SIZE(squares), 64);
	CHECK_EQ(squares[63], 63 * 63);
	CHECK_EQ(0 FOR_EACH_IDX(PLUS, (), 5, 6, 7), 6 + 14);
	CHECK_EQ(0 FOR_EACH_FIXED_ARG(SUM, (), 10, 1, 2), 30);
	CHECK_EQ(0 FOR_EACH_IDX_FIXED_ARG(IDX, (), 10, 1, 2), 10 + 30);
	CHECK_EQ(FOR_EACH_NONEMPTY_TERM(IDENTITY, (+), 1, , 2) 4, 7);
	CHECK_EQ(strcmp(LISTIFY(3, LETTER, (":"), "x"), "0x:1x:2x"), 0);
	CHECK_EQ(strcmp(STRINGIFY(MACRO_MAP_CAT(JOINED, a, b, c)), "a_b_c_"), 0);
	CHECK_EQ(sizeof("" FOR_EACH(STRINGIFY, (), )), 1);
}

TEST_USER(macros_arithmetic)
{
	uint32_t word = 0xF0;

	CHECK_EQ(GENMASK(7, 4), 0xF0);
	CHECK_EQ(GENMASK(0, 0), 1);
	CHECK(GENMASK64(63, 0) == UINT64_MAX && GENMASK64(40, 39) == 0x18000000000ULL);
	CHECK_EQ(FIELD_GET(GENMASK(7, 4), 0xAB), 0xA);
	CHECK_EQ(FIELD_PREP(GENMASK(7, 4), 0xC), 0xC0);
	CHECK(IS_POWER_OF_TWO(64U) && !IS_POWER_OF_TWO(0U) && !IS_POWER_OF_TWO(6U));
	CHECK(IS_BIT_MASK(7U) && !IS_BIT_MASK(6U) && IS_SHIFTED_BIT_MASK(6U, 1));
	WRITE_BIT(word, 1, true);
	WRITE_BIT(word, 7, false);
	CHECK_EQ(word, 0x72);
	CHECK_EQ(ROUND_UP(13, 5), 15);
	CHECK_EQ(ROUND_UP(15, 5), 15);
	CHECK_EQ(ROUND_DOWN(14, 5), 10);
	CHECK_EQ(DIV_ROUND_UP(11, 5), 3);
	CHECK_EQ(DIV_ROUND_CLOSEST(12, 5) * 100 + DIV_ROUND_CLOSEST(13, 5), 203);
	CHECK_EQ(DIV_ROUND_CLOSEST(-13, 5), -3);
	CHECK_EQ(CLAMP(7, 1, 5) * 100 + CLAMP(0, 1, 5) * 10 + CLAMP(3, 1, 5), 513);
	CHECK(IN_RANGE(5, 5, 5) && !IN_RANGE(4, 5, 6) && !IN_RANGE(7, 5, 6));
	CHECK_EQ(LOG2(1) * 100 + LOG2(255), 7);
	CHECK_EQ(LOG2CEIL(1) * 100 + LOG2CEIL(257), 9);
	CHECK_EQ(NHPOT(0) * 10000 + NHPOT(33) * 100, 10000 + 6400);
	CHECK_EQ(POW2_CEIL(48UL), 64);
	CHECK_EQ(KB(3), 3072);
	CHECK_EQ(MIN3(3, 1, 2) * 10 + MAX3(3, 1, 2), 13);
	CHECK_EQ(sign_extend(0x80, 7), -128);
	CHECK(sign_extend_64(0x7F, 7) == 127);
	CHECK_EQ(bcd2bin(0x59) * 100 + bin2bcd(42), 5900 + 0x42);
}

TEST_USER(macros_places_in_arrays)
{
	static const int16_t array[4] = {0};
	const char *inside = (const char *)&array[2] + 1;

	CHECK(PART_OF_ARRAY(array, &array[3]) && !PART_OF_ARRAY(array, &array[4]));
	CHECK(IS_ARRAY_ELEMENT(array, &array[1]) && !IS_ARRAY_ELEMENT(array, inside));
	CHECK_EQ(ARRAY_INDEX(array, &array[3]), 3);
	CHECK_EQ(ARRAY_INDEX_FLOOR(array, inside), 2);
	CHECK_EQ(SIZEOF_FIELD(struct k_timer, running), 1);
}

TEST_USER(digits_there_and_back)
{
	static const uint8_t bytes[3] = {0x0A, 0x5F, 0xC3};
	char text[7];
	uint8_t back[3];

	CHECK_EQ(bin2hex(bytes, 3, text, 6), 0);
	CHECK_EQ(bin2hex(bytes, 3, text, 7), 6);
	CHECK_EQ(strcmp(text, "0a5fc3"), 0);
	CHECK_EQ(hex2bin("0A5fC3", 6, back, 2), 0);
	CHECK_EQ(hex2bin("0A5fC3", 6, back, 3), 3);
	CHECK_EQ(memcmp(back, bytes, 3), 0);
	CHECK_EQ(hex2bin("a5fc3", 5, back, 3), 3);
	CHECK_EQ(memcmp(back, bytes, 3), 0);
	CHECK_EQ(hex2bin("0g", 2, back, 3), 0);
	CHECK_EQ(u8_to_dec(text, 4, 0) * 1000 + u8_to_dec(text, 4, 105), 1003);
	CHECK_EQ(strcmp(text, "105"), 0);
	CHECK_EQ(u8_to_dec(text, 2, 105), 2);
	CHECK_EQ(sys_count_bits(bytes, 3), 2 + 6 + 4);
}

TEST_USER(utf8_is_cut_between_characters)
{
	static const char *const whole =
		"a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"; /* 1, 2, 3, 4 bytes */
	static const uint8_t kept[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10}; /* of so many bytes */
	char text[12];

	for (size_t n = 0; n < ARRAY_SIZE(kept); n++) {
		memcpy(text, whole, n);
		text[n] = '\0';
		CHECK(utf8_trunc(text) == text);
		CHECK_EQ(strlen(text), kept[n]);
		memset(text, 'x', sizeof(text));
		CHECK(utf8_lcpy(text, whole, n + 1) == text);
		CHECK_EQ(strlen(text), kept[n]);
		CHECK_EQ(memcmp(text, whole, kept[n]), 0);
		CHECK_EQ(text[n + 1], 'x');
	}
	text[0] = 'x';
	CHECK(utf8_lcpy(text, whole, 0) == text && text[0] == 'x');
	CHECK_EQ(strlen(utf8_lcpy(text, "", 1)), 0);
	(void)utf8_lcpy(text, "\x80\x80",
			3); /* no character at all, and nothing in front is read */
	CHECK_EQ(strlen(utf8_trunc(text)), 2);
}

TEST_USER(utf8_characters_are_counted)
{
	CHECK_EQ(utf8_count_chars(""), 0);
	CHECK_EQ(utf8_count_chars("a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80z"), 5);
	CHECK_EQ(utf8_count_chars("a\xC3"), -EINVAL);
	CHECK_EQ(utf8_count_chars("\xE2\x82"), -EINVAL);
	CHECK_EQ(utf8_count_chars("\xE2\x82z"), -EINVAL);
	CHECK_EQ(utf8_count_chars("\x80"), -EINVAL);
	CHECK_EQ(utf8_count_chars("\xC0\xAF"), -EINVAL);
	CHECK_EQ(utf8_count_chars("\xF8\x80\x80\x80"), -EINVAL);
}

TEST_USER(byteorder_there_and_back)
{
	static const uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	uint8_t copy[8];

	CHECK_EQ(sys_get_le16(bytes), 0x0201);
	CHECK_EQ(sys_get_be24(bytes), 0x010203);
	CHECK_EQ(sys_get_le32(&bytes[1]), 0x05040302);
	CHECK(sys_get_be40(bytes) == 0x0102030405ULL && sys_get_le48(bytes) == 0x060504030201ULL);
	CHECK(sys_get_be64(bytes) == 0x0102030405060708ULL);
	sys_put_be64(sys_get_le64(bytes), copy);
	sys_mem_swap(copy, 8);
	CHECK_EQ(memcmp(copy, bytes, 8), 0);
	sys_put_le24(0x030201, copy);
	sys_put_be16(0x0405, &copy[3]);
	CHECK_EQ(memcmp(copy, bytes, 5), 0);
	CHECK_EQ(sys_cpu_to_be16(0x1234), 0x3412);
	CHECK_EQ(sys_be32_to_cpu(sys_cpu_to_be32(0x12345678)), 0x12345678);
	CHECK_EQ(sys_cpu_to_le32(0x12345678), 0x12345678);
	CHECK_EQ(BSWAP_24(0x010203), 0x030201);
	CHECK(BSWAP_40(0x0102030405ULL) == 0x0504030201ULL && BSWAP_48(1ULL) == 1ULL << 40);
	sys_memcpy_swap(copy, bytes, 3);
	CHECK_EQ(sys_get_be24(copy), 0x030201);
	sys_put_be(copy, bytes, 4);
	CHECK_EQ(sys_get_le32(copy), 0x01020304);
}
