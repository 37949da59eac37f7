/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Internal: what the preprocessor cannot compute, behind util_macro.h: tables of small numbers and
 * of places among arguments.
 */
#ifndef ZEPHYR_SYS_UTIL_NUMBERS_H
#define ZEPHYR_SYS_UTIL_NUMBERS_H

/* The 65th of its arguments. */
#define UTIL_PICK_65_(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, \
		      a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32,  \
		      a33, a34, a35, a36, a37, a38, a39, a40, a41, a42, a43, a44, a45, a46, a47,  \
		      a48, a49, a50, a51, a52, a53, a54, a55, a56, a57, a58, a59, a60, a61, a62,  \
		      a63, a64, n, ...)                                                           \
	n
/* How many there are, 0 to 63. */
#define UTIL_COUNT_(...)                                                                          \
	UTIL_PICK_65_(_, ##__VA_ARGS__, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50,   \
		      49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, \
		      30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, \
		      11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, _)

/* A number and the next one. */
#define UTIL_INC_0_  1
#define UTIL_INC_1_  2
#define UTIL_INC_2_  3
#define UTIL_INC_3_  4
#define UTIL_INC_4_  5
#define UTIL_INC_5_  6
#define UTIL_INC_6_  7
#define UTIL_INC_7_  8
#define UTIL_INC_8_  9
#define UTIL_INC_9_  10
#define UTIL_INC_10_ 11
#define UTIL_INC_11_ 12
#define UTIL_INC_12_ 13
#define UTIL_INC_13_ 14
#define UTIL_INC_14_ 15
#define UTIL_INC_15_ 16
#define UTIL_INC_16_ 17
#define UTIL_INC_17_ 18
#define UTIL_INC_18_ 19
#define UTIL_INC_19_ 20
#define UTIL_INC_20_ 21
#define UTIL_INC_21_ 22
#define UTIL_INC_22_ 23
#define UTIL_INC_23_ 24
#define UTIL_INC_24_ 25
#define UTIL_INC_25_ 26
#define UTIL_INC_26_ 27
#define UTIL_INC_27_ 28
#define UTIL_INC_28_ 29
#define UTIL_INC_29_ 30
#define UTIL_INC_30_ 31
#define UTIL_INC_31_ 32
#define UTIL_INC_32_ 33
#define UTIL_INC_33_ 34
#define UTIL_INC_34_ 35
#define UTIL_INC_35_ 36
#define UTIL_INC_36_ 37
#define UTIL_INC_37_ 38
#define UTIL_INC_38_ 39
#define UTIL_INC_39_ 40
#define UTIL_INC_40_ 41
#define UTIL_INC_41_ 42
#define UTIL_INC_42_ 43
#define UTIL_INC_43_ 44
#define UTIL_INC_44_ 45
#define UTIL_INC_45_ 46
#define UTIL_INC_46_ 47
#define UTIL_INC_47_ 48
#define UTIL_INC_48_ 49
#define UTIL_INC_49_ 50
#define UTIL_INC_50_ 51
#define UTIL_INC_51_ 52
#define UTIL_INC_52_ 53
#define UTIL_INC_53_ 54
#define UTIL_INC_54_ 55
#define UTIL_INC_55_ 56
#define UTIL_INC_56_ 57
#define UTIL_INC_57_ 58
#define UTIL_INC_58_ 59
#define UTIL_INC_59_ 60
#define UTIL_INC_60_ 61
#define UTIL_INC_61_ 62
#define UTIL_INC_62_ 63
#define UTIL_INC_63_ 64
#define UTIL_INC_64_ 65

/* And the one before. */
#define UTIL_DEC_0_  0
#define UTIL_DEC_1_  0
#define UTIL_DEC_2_  1
#define UTIL_DEC_3_  2
#define UTIL_DEC_4_  3
#define UTIL_DEC_5_  4
#define UTIL_DEC_6_  5
#define UTIL_DEC_7_  6
#define UTIL_DEC_8_  7
#define UTIL_DEC_9_  8
#define UTIL_DEC_10_ 9
#define UTIL_DEC_11_ 10
#define UTIL_DEC_12_ 11
#define UTIL_DEC_13_ 12
#define UTIL_DEC_14_ 13
#define UTIL_DEC_15_ 14
#define UTIL_DEC_16_ 15
#define UTIL_DEC_17_ 16
#define UTIL_DEC_18_ 17
#define UTIL_DEC_19_ 18
#define UTIL_DEC_20_ 19
#define UTIL_DEC_21_ 20
#define UTIL_DEC_22_ 21
#define UTIL_DEC_23_ 22
#define UTIL_DEC_24_ 23
#define UTIL_DEC_25_ 24
#define UTIL_DEC_26_ 25
#define UTIL_DEC_27_ 26
#define UTIL_DEC_28_ 27
#define UTIL_DEC_29_ 28
#define UTIL_DEC_30_ 29
#define UTIL_DEC_31_ 30
#define UTIL_DEC_32_ 31
#define UTIL_DEC_33_ 32
#define UTIL_DEC_34_ 33
#define UTIL_DEC_35_ 34
#define UTIL_DEC_36_ 35
#define UTIL_DEC_37_ 36
#define UTIL_DEC_38_ 37
#define UTIL_DEC_39_ 38
#define UTIL_DEC_40_ 39
#define UTIL_DEC_41_ 40
#define UTIL_DEC_42_ 41
#define UTIL_DEC_43_ 42
#define UTIL_DEC_44_ 43
#define UTIL_DEC_45_ 44
#define UTIL_DEC_46_ 45
#define UTIL_DEC_47_ 46
#define UTIL_DEC_48_ 47
#define UTIL_DEC_49_ 48
#define UTIL_DEC_50_ 49
#define UTIL_DEC_51_ 50
#define UTIL_DEC_52_ 51
#define UTIL_DEC_53_ 52
#define UTIL_DEC_54_ 53
#define UTIL_DEC_55_ 54
#define UTIL_DEC_56_ 55
#define UTIL_DEC_57_ 56
#define UTIL_DEC_58_ 57
#define UTIL_DEC_59_ 58
#define UTIL_DEC_60_ 59
#define UTIL_DEC_61_ 60
#define UTIL_DEC_62_ 61
#define UTIL_DEC_63_ 62
#define UTIL_DEC_64_ 63
#define UTIL_DEC_65_ 64

/* A number is the same as itself. */
#define UTIL_SAME_0_0_   1
#define UTIL_SAME_1_1_   1
#define UTIL_SAME_2_2_   1
#define UTIL_SAME_3_3_   1
#define UTIL_SAME_4_4_   1
#define UTIL_SAME_5_5_   1
#define UTIL_SAME_6_6_   1
#define UTIL_SAME_7_7_   1
#define UTIL_SAME_8_8_   1
#define UTIL_SAME_9_9_   1
#define UTIL_SAME_10_10_ 1
#define UTIL_SAME_11_11_ 1
#define UTIL_SAME_12_12_ 1
#define UTIL_SAME_13_13_ 1
#define UTIL_SAME_14_14_ 1
#define UTIL_SAME_15_15_ 1
#define UTIL_SAME_16_16_ 1
#define UTIL_SAME_17_17_ 1
#define UTIL_SAME_18_18_ 1
#define UTIL_SAME_19_19_ 1
#define UTIL_SAME_20_20_ 1
#define UTIL_SAME_21_21_ 1
#define UTIL_SAME_22_22_ 1
#define UTIL_SAME_23_23_ 1
#define UTIL_SAME_24_24_ 1
#define UTIL_SAME_25_25_ 1
#define UTIL_SAME_26_26_ 1
#define UTIL_SAME_27_27_ 1
#define UTIL_SAME_28_28_ 1
#define UTIL_SAME_29_29_ 1
#define UTIL_SAME_30_30_ 1
#define UTIL_SAME_31_31_ 1
#define UTIL_SAME_32_32_ 1
#define UTIL_SAME_33_33_ 1
#define UTIL_SAME_34_34_ 1
#define UTIL_SAME_35_35_ 1
#define UTIL_SAME_36_36_ 1
#define UTIL_SAME_37_37_ 1
#define UTIL_SAME_38_38_ 1
#define UTIL_SAME_39_39_ 1
#define UTIL_SAME_40_40_ 1
#define UTIL_SAME_41_41_ 1
#define UTIL_SAME_42_42_ 1
#define UTIL_SAME_43_43_ 1
#define UTIL_SAME_44_44_ 1
#define UTIL_SAME_45_45_ 1
#define UTIL_SAME_46_46_ 1
#define UTIL_SAME_47_47_ 1
#define UTIL_SAME_48_48_ 1
#define UTIL_SAME_49_49_ 1
#define UTIL_SAME_50_50_ 1
#define UTIL_SAME_51_51_ 1
#define UTIL_SAME_52_52_ 1
#define UTIL_SAME_53_53_ 1
#define UTIL_SAME_54_54_ 1
#define UTIL_SAME_55_55_ 1
#define UTIL_SAME_56_56_ 1
#define UTIL_SAME_57_57_ 1
#define UTIL_SAME_58_58_ 1
#define UTIL_SAME_59_59_ 1
#define UTIL_SAME_60_60_ 1
#define UTIL_SAME_61_61_ 1
#define UTIL_SAME_62_62_ 1
#define UTIL_SAME_63_63_ 1
#define UTIL_SAME_64_64_ 1

/* The arguments from one on. */
#define UTIL_FROM_1_(...)     __VA_ARGS__
#define UTIL_FROM_2_(x, ...)  UTIL_FROM_1_(__VA_ARGS__)
#define UTIL_FROM_3_(x, ...)  UTIL_FROM_2_(__VA_ARGS__)
#define UTIL_FROM_4_(x, ...)  UTIL_FROM_3_(__VA_ARGS__)
#define UTIL_FROM_5_(x, ...)  UTIL_FROM_4_(__VA_ARGS__)
#define UTIL_FROM_6_(x, ...)  UTIL_FROM_5_(__VA_ARGS__)
#define UTIL_FROM_7_(x, ...)  UTIL_FROM_6_(__VA_ARGS__)
#define UTIL_FROM_8_(x, ...)  UTIL_FROM_7_(__VA_ARGS__)
#define UTIL_FROM_9_(x, ...)  UTIL_FROM_8_(__VA_ARGS__)
#define UTIL_FROM_10_(x, ...) UTIL_FROM_9_(__VA_ARGS__)
#define UTIL_FROM_11_(x, ...) UTIL_FROM_10_(__VA_ARGS__)
#define UTIL_FROM_12_(x, ...) UTIL_FROM_11_(__VA_ARGS__)
#define UTIL_FROM_13_(x, ...) UTIL_FROM_12_(__VA_ARGS__)
#define UTIL_FROM_14_(x, ...) UTIL_FROM_13_(__VA_ARGS__)
#define UTIL_FROM_15_(x, ...) UTIL_FROM_14_(__VA_ARGS__)
#define UTIL_FROM_16_(x, ...) UTIL_FROM_15_(__VA_ARGS__)
#define UTIL_FROM_17_(x, ...) UTIL_FROM_16_(__VA_ARGS__)
#define UTIL_FROM_18_(x, ...) UTIL_FROM_17_(__VA_ARGS__)
#define UTIL_FROM_19_(x, ...) UTIL_FROM_18_(__VA_ARGS__)
#define UTIL_FROM_20_(x, ...) UTIL_FROM_19_(__VA_ARGS__)
#define UTIL_FROM_21_(x, ...) UTIL_FROM_20_(__VA_ARGS__)
#define UTIL_FROM_22_(x, ...) UTIL_FROM_21_(__VA_ARGS__)
#define UTIL_FROM_23_(x, ...) UTIL_FROM_22_(__VA_ARGS__)
#define UTIL_FROM_24_(x, ...) UTIL_FROM_23_(__VA_ARGS__)
#define UTIL_FROM_25_(x, ...) UTIL_FROM_24_(__VA_ARGS__)
#define UTIL_FROM_26_(x, ...) UTIL_FROM_25_(__VA_ARGS__)
#define UTIL_FROM_27_(x, ...) UTIL_FROM_26_(__VA_ARGS__)
#define UTIL_FROM_28_(x, ...) UTIL_FROM_27_(__VA_ARGS__)
#define UTIL_FROM_29_(x, ...) UTIL_FROM_28_(__VA_ARGS__)
#define UTIL_FROM_30_(x, ...) UTIL_FROM_29_(__VA_ARGS__)
#define UTIL_FROM_31_(x, ...) UTIL_FROM_30_(__VA_ARGS__)
#define UTIL_FROM_32_(x, ...) UTIL_FROM_31_(__VA_ARGS__)
#define UTIL_FROM_33_(x, ...) UTIL_FROM_32_(__VA_ARGS__)
#define UTIL_FROM_34_(x, ...) UTIL_FROM_33_(__VA_ARGS__)
#define UTIL_FROM_35_(x, ...) UTIL_FROM_34_(__VA_ARGS__)
#define UTIL_FROM_36_(x, ...) UTIL_FROM_35_(__VA_ARGS__)
#define UTIL_FROM_37_(x, ...) UTIL_FROM_36_(__VA_ARGS__)
#define UTIL_FROM_38_(x, ...) UTIL_FROM_37_(__VA_ARGS__)
#define UTIL_FROM_39_(x, ...) UTIL_FROM_38_(__VA_ARGS__)
#define UTIL_FROM_40_(x, ...) UTIL_FROM_39_(__VA_ARGS__)
#define UTIL_FROM_41_(x, ...) UTIL_FROM_40_(__VA_ARGS__)
#define UTIL_FROM_42_(x, ...) UTIL_FROM_41_(__VA_ARGS__)
#define UTIL_FROM_43_(x, ...) UTIL_FROM_42_(__VA_ARGS__)
#define UTIL_FROM_44_(x, ...) UTIL_FROM_43_(__VA_ARGS__)
#define UTIL_FROM_45_(x, ...) UTIL_FROM_44_(__VA_ARGS__)
#define UTIL_FROM_46_(x, ...) UTIL_FROM_45_(__VA_ARGS__)
#define UTIL_FROM_47_(x, ...) UTIL_FROM_46_(__VA_ARGS__)
#define UTIL_FROM_48_(x, ...) UTIL_FROM_47_(__VA_ARGS__)
#define UTIL_FROM_49_(x, ...) UTIL_FROM_48_(__VA_ARGS__)
#define UTIL_FROM_50_(x, ...) UTIL_FROM_49_(__VA_ARGS__)
#define UTIL_FROM_51_(x, ...) UTIL_FROM_50_(__VA_ARGS__)
#define UTIL_FROM_52_(x, ...) UTIL_FROM_51_(__VA_ARGS__)
#define UTIL_FROM_53_(x, ...) UTIL_FROM_52_(__VA_ARGS__)
#define UTIL_FROM_54_(x, ...) UTIL_FROM_53_(__VA_ARGS__)
#define UTIL_FROM_55_(x, ...) UTIL_FROM_54_(__VA_ARGS__)
#define UTIL_FROM_56_(x, ...) UTIL_FROM_55_(__VA_ARGS__)
#define UTIL_FROM_57_(x, ...) UTIL_FROM_56_(__VA_ARGS__)
#define UTIL_FROM_58_(x, ...) UTIL_FROM_57_(__VA_ARGS__)
#define UTIL_FROM_59_(x, ...) UTIL_FROM_58_(__VA_ARGS__)
#define UTIL_FROM_60_(x, ...) UTIL_FROM_59_(__VA_ARGS__)
#define UTIL_FROM_61_(x, ...) UTIL_FROM_60_(__VA_ARGS__)
#define UTIL_FROM_62_(x, ...) UTIL_FROM_61_(__VA_ARGS__)
#define UTIL_FROM_63_(x, ...) UTIL_FROM_62_(__VA_ARGS__)
#define UTIL_FROM_64_(x, ...) UTIL_FROM_63_(__VA_ARGS__)

/* The arguments, the last one first. */
#define UTIL_REVERSE_0_(...)
#define UTIL_REVERSE_1_(x)       x
#define UTIL_REVERSE_2_(x, ...)  UTIL_REVERSE_1_(__VA_ARGS__), x
#define UTIL_REVERSE_3_(x, ...)  UTIL_REVERSE_2_(__VA_ARGS__), x
#define UTIL_REVERSE_4_(x, ...)  UTIL_REVERSE_3_(__VA_ARGS__), x
#define UTIL_REVERSE_5_(x, ...)  UTIL_REVERSE_4_(__VA_ARGS__), x
#define UTIL_REVERSE_6_(x, ...)  UTIL_REVERSE_5_(__VA_ARGS__), x
#define UTIL_REVERSE_7_(x, ...)  UTIL_REVERSE_6_(__VA_ARGS__), x
#define UTIL_REVERSE_8_(x, ...)  UTIL_REVERSE_7_(__VA_ARGS__), x
#define UTIL_REVERSE_9_(x, ...)  UTIL_REVERSE_8_(__VA_ARGS__), x
#define UTIL_REVERSE_10_(x, ...) UTIL_REVERSE_9_(__VA_ARGS__), x
#define UTIL_REVERSE_11_(x, ...) UTIL_REVERSE_10_(__VA_ARGS__), x
#define UTIL_REVERSE_12_(x, ...) UTIL_REVERSE_11_(__VA_ARGS__), x
#define UTIL_REVERSE_13_(x, ...) UTIL_REVERSE_12_(__VA_ARGS__), x
#define UTIL_REVERSE_14_(x, ...) UTIL_REVERSE_13_(__VA_ARGS__), x
#define UTIL_REVERSE_15_(x, ...) UTIL_REVERSE_14_(__VA_ARGS__), x
#define UTIL_REVERSE_16_(x, ...) UTIL_REVERSE_15_(__VA_ARGS__), x
#define UTIL_REVERSE_17_(x, ...) UTIL_REVERSE_16_(__VA_ARGS__), x
#define UTIL_REVERSE_18_(x, ...) UTIL_REVERSE_17_(__VA_ARGS__), x
#define UTIL_REVERSE_19_(x, ...) UTIL_REVERSE_18_(__VA_ARGS__), x
#define UTIL_REVERSE_20_(x, ...) UTIL_REVERSE_19_(__VA_ARGS__), x
#define UTIL_REVERSE_21_(x, ...) UTIL_REVERSE_20_(__VA_ARGS__), x
#define UTIL_REVERSE_22_(x, ...) UTIL_REVERSE_21_(__VA_ARGS__), x
#define UTIL_REVERSE_23_(x, ...) UTIL_REVERSE_22_(__VA_ARGS__), x
#define UTIL_REVERSE_24_(x, ...) UTIL_REVERSE_23_(__VA_ARGS__), x
#define UTIL_REVERSE_25_(x, ...) UTIL_REVERSE_24_(__VA_ARGS__), x
#define UTIL_REVERSE_26_(x, ...) UTIL_REVERSE_25_(__VA_ARGS__), x
#define UTIL_REVERSE_27_(x, ...) UTIL_REVERSE_26_(__VA_ARGS__), x
#define UTIL_REVERSE_28_(x, ...) UTIL_REVERSE_27_(__VA_ARGS__), x
#define UTIL_REVERSE_29_(x, ...) UTIL_REVERSE_28_(__VA_ARGS__), x
#define UTIL_REVERSE_30_(x, ...) UTIL_REVERSE_29_(__VA_ARGS__), x
#define UTIL_REVERSE_31_(x, ...) UTIL_REVERSE_30_(__VA_ARGS__), x
#define UTIL_REVERSE_32_(x, ...) UTIL_REVERSE_31_(__VA_ARGS__), x
#define UTIL_REVERSE_33_(x, ...) UTIL_REVERSE_32_(__VA_ARGS__), x
#define UTIL_REVERSE_34_(x, ...) UTIL_REVERSE_33_(__VA_ARGS__), x
#define UTIL_REVERSE_35_(x, ...) UTIL_REVERSE_34_(__VA_ARGS__), x
#define UTIL_REVERSE_36_(x, ...) UTIL_REVERSE_35_(__VA_ARGS__), x
#define UTIL_REVERSE_37_(x, ...) UTIL_REVERSE_36_(__VA_ARGS__), x
#define UTIL_REVERSE_38_(x, ...) UTIL_REVERSE_37_(__VA_ARGS__), x
#define UTIL_REVERSE_39_(x, ...) UTIL_REVERSE_38_(__VA_ARGS__), x
#define UTIL_REVERSE_40_(x, ...) UTIL_REVERSE_39_(__VA_ARGS__), x
#define UTIL_REVERSE_41_(x, ...) UTIL_REVERSE_40_(__VA_ARGS__), x
#define UTIL_REVERSE_42_(x, ...) UTIL_REVERSE_41_(__VA_ARGS__), x
#define UTIL_REVERSE_43_(x, ...) UTIL_REVERSE_42_(__VA_ARGS__), x
#define UTIL_REVERSE_44_(x, ...) UTIL_REVERSE_43_(__VA_ARGS__), x
#define UTIL_REVERSE_45_(x, ...) UTIL_REVERSE_44_(__VA_ARGS__), x
#define UTIL_REVERSE_46_(x, ...) UTIL_REVERSE_45_(__VA_ARGS__), x
#define UTIL_REVERSE_47_(x, ...) UTIL_REVERSE_46_(__VA_ARGS__), x
#define UTIL_REVERSE_48_(x, ...) UTIL_REVERSE_47_(__VA_ARGS__), x
#define UTIL_REVERSE_49_(x, ...) UTIL_REVERSE_48_(__VA_ARGS__), x
#define UTIL_REVERSE_50_(x, ...) UTIL_REVERSE_49_(__VA_ARGS__), x
#define UTIL_REVERSE_51_(x, ...) UTIL_REVERSE_50_(__VA_ARGS__), x
#define UTIL_REVERSE_52_(x, ...) UTIL_REVERSE_51_(__VA_ARGS__), x
#define UTIL_REVERSE_53_(x, ...) UTIL_REVERSE_52_(__VA_ARGS__), x
#define UTIL_REVERSE_54_(x, ...) UTIL_REVERSE_53_(__VA_ARGS__), x
#define UTIL_REVERSE_55_(x, ...) UTIL_REVERSE_54_(__VA_ARGS__), x
#define UTIL_REVERSE_56_(x, ...) UTIL_REVERSE_55_(__VA_ARGS__), x
#define UTIL_REVERSE_57_(x, ...) UTIL_REVERSE_56_(__VA_ARGS__), x
#define UTIL_REVERSE_58_(x, ...) UTIL_REVERSE_57_(__VA_ARGS__), x
#define UTIL_REVERSE_59_(x, ...) UTIL_REVERSE_58_(__VA_ARGS__), x
#define UTIL_REVERSE_60_(x, ...) UTIL_REVERSE_59_(__VA_ARGS__), x
#define UTIL_REVERSE_61_(x, ...) UTIL_REVERSE_60_(__VA_ARGS__), x
#define UTIL_REVERSE_62_(x, ...) UTIL_REVERSE_61_(__VA_ARGS__), x
#define UTIL_REVERSE_63_(x, ...) UTIL_REVERSE_62_(__VA_ARGS__), x

/* f(argument) of each as one token. */
#define UTIL_PASTE_(a, b)   a##b
#define UTIL_PASTE_X_(a, b) UTIL_PASTE_(a, b)
#define UTIL_MAP_0_(f, ...)
#define UTIL_MAP_1_(f, x)       f(x)
#define UTIL_MAP_2_(f, x, ...)  UTIL_PASTE_X_(f(x), UTIL_MAP_1_(f, __VA_ARGS__))
#define UTIL_MAP_3_(f, x, ...)  UTIL_PASTE_X_(f(x), UTIL_MAP_2_(f, __VA_ARGS__))
#define UTIL_MAP_4_(f, x, ...)  UTIL_PASTE_X_(f(x), UTIL_MAP_3_(f, __VA_ARGS__))
#define UTIL_MAP_5_(f, x, ...)  UTIL_PASTE_X_(f(x), UTIL_MAP_4_(f, __VA_ARGS__))
#define UTIL_MAP_6_(f, x, ...)  UTIL_PASTE_X_(f(x), UTIL_MAP_5_(f, __VA_ARGS__))
#define UTIL_MAP_7_(f, x, ...)  UTIL_PASTE_X_(f(x), UTIL_MAP_6_(f, __VA_ARGS__))
#define UTIL_MAP_8_(f, x, ...)  UTIL_PASTE_X_(f(x), UTIL_MAP_7_(f, __VA_ARGS__))
#define UTIL_MAP_9_(f, x, ...)  UTIL_PASTE_X_(f(x), UTIL_MAP_8_(f, __VA_ARGS__))
#define UTIL_MAP_10_(f, x, ...) UTIL_PASTE_X_(f(x), UTIL_MAP_9_(f, __VA_ARGS__))
#define UTIL_MAP_11_(f, x, ...) UTIL_PASTE_X_(f(x), UTIL_MAP_10_(f, __VA_ARGS__))
#define UTIL_MAP_12_(f, x, ...) UTIL_PASTE_X_(f(x), UTIL_MAP_11_(f, __VA_ARGS__))
#define UTIL_MAP_13_(f, x, ...) UTIL_PASTE_X_(f(x), UTIL_MAP_12_(f, __VA_ARGS__))
#define UTIL_MAP_14_(f, x, ...) UTIL_PASTE_X_(f(x), UTIL_MAP_13_(f, __VA_ARGS__))
#define UTIL_MAP_15_(f, x, ...) UTIL_PASTE_X_(f(x), UTIL_MAP_14_(f, __VA_ARGS__))
#define UTIL_MAP_16_(f, x, ...) UTIL_PASTE_X_(f(x), UTIL_MAP_15_(f, __VA_ARGS__))

#endif /* ZEPHYR_SYS_UTIL_NUMBERS_H */
