/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Internal: the loops of the preprocessor behind util_macro.h: chains of macros, each of which
 * calls the one before. 63 arguments and 64 rounds at most: one more does not compile. (Zephyr's
 * rounds go to 4095.)
 *
 * Rejected: one that expands itself again and again (a macro is not expanded within itself, so
 * it takes many scans, and loops of two kinds could not be nested).
 */
#ifndef ZEPHYR_SYS_UTIL_LOOPS_H
#define ZEPHYR_SYS_UTIL_LOOPS_H

/* Calls call(context, index, argument) for each argument, with what `sep` holds in between. */
#define UTIL_SEP_(...) __VA_ARGS__
#define UTIL_EACH_0_(call, sep, ctx, i, ...)
#define UTIL_EACH_1_(call, sep, ctx, i, x) call(ctx, i, x)
#define UTIL_EACH_2_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_1_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_3_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_2_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_4_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_3_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_5_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_4_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_6_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_5_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_7_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_6_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_8_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_7_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_9_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_8_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_10_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_9_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_11_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_10_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_12_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_11_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_13_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_12_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_14_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_13_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_15_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_14_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_16_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_15_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_17_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_16_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_18_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_17_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_19_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_18_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_20_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_19_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_21_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_20_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_22_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_21_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_23_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_22_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_24_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_23_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_25_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_24_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_26_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_25_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_27_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_26_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_28_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_27_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_29_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_28_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_30_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_29_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_31_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_30_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_32_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_31_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_33_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_32_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_34_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_33_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_35_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_34_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_36_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_35_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_37_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_36_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_38_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_37_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_39_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_38_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_40_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_39_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_41_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_40_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_42_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_41_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_43_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_42_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_44_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_43_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_45_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_44_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_46_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_45_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_47_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_46_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_48_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_47_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_49_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_48_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_50_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_49_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_51_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_50_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_52_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_51_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_53_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_52_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_54_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_53_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_55_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_54_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_56_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_55_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_57_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_56_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_58_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_57_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_59_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_58_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_60_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_59_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_61_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_60_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_62_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_61_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)
#define UTIL_EACH_63_(call, sep, ctx, i, x, ...) \
	call(ctx, i, x) UTIL_SEP_ sep UTIL_EACH_62_(call, sep, ctx, UTIL_INC(i), __VA_ARGS__)

/* Calls f(index, arguments) for each number below that in the name. */
#define UTIL_LISTIFY_0_(f, sep, ...)
#define UTIL_LISTIFY_1_(f, sep, ...) f(0, ##__VA_ARGS__)
#define UTIL_LISTIFY_2_(f, sep, ...) \
	UTIL_LISTIFY_1_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(1, ##__VA_ARGS__)
#define UTIL_LISTIFY_3_(f, sep, ...) \
	UTIL_LISTIFY_2_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(2, ##__VA_ARGS__)
#define UTIL_LISTIFY_4_(f, sep, ...) \
	UTIL_LISTIFY_3_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(3, ##__VA_ARGS__)
#define UTIL_LISTIFY_5_(f, sep, ...) \
	UTIL_LISTIFY_4_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(4, ##__VA_ARGS__)
#define UTIL_LISTIFY_6_(f, sep, ...) \
	UTIL_LISTIFY_5_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(5, ##__VA_ARGS__)
#define UTIL_LISTIFY_7_(f, sep, ...) \
	UTIL_LISTIFY_6_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(6, ##__VA_ARGS__)
#define UTIL_LISTIFY_8_(f, sep, ...) \
	UTIL_LISTIFY_7_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(7, ##__VA_ARGS__)
#define UTIL_LISTIFY_9_(f, sep, ...) \
	UTIL_LISTIFY_8_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(8, ##__VA_ARGS__)
#define UTIL_LISTIFY_10_(f, sep, ...) \
	UTIL_LISTIFY_9_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(9, ##__VA_ARGS__)
#define UTIL_LISTIFY_11_(f, sep, ...) \
	UTIL_LISTIFY_10_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(10, ##__VA_ARGS__)
#define UTIL_LISTIFY_12_(f, sep, ...) \
	UTIL_LISTIFY_11_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(11, ##__VA_ARGS__)
#define UTIL_LISTIFY_13_(f, sep, ...) \
	UTIL_LISTIFY_12_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(12, ##__VA_ARGS__)
#define UTIL_LISTIFY_14_(f, sep, ...) \
	UTIL_LISTIFY_13_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(13, ##__VA_ARGS__)
#define UTIL_LISTIFY_15_(f, sep, ...) \
	UTIL_LISTIFY_14_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(14, ##__VA_ARGS__)
#define UTIL_LISTIFY_16_(f, sep, ...) \
	UTIL_LISTIFY_15_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(15, ##__VA_ARGS__)
#define UTIL_LISTIFY_17_(f, sep, ...) \
	UTIL_LISTIFY_16_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(16, ##__VA_ARGS__)
#define UTIL_LISTIFY_18_(f, sep, ...) \
	UTIL_LISTIFY_17_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(17, ##__VA_ARGS__)
#define UTIL_LISTIFY_19_(f, sep, ...) \
	UTIL_LISTIFY_18_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(18, ##__VA_ARGS__)
#define UTIL_LISTIFY_20_(f, sep, ...) \
	UTIL_LISTIFY_19_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(19, ##__VA_ARGS__)
#define UTIL_LISTIFY_21_(f, sep, ...) \
	UTIL_LISTIFY_20_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(20, ##__VA_ARGS__)
#define UTIL_LISTIFY_22_(f, sep, ...) \
	UTIL_LISTIFY_21_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(21, ##__VA_ARGS__)
#define UTIL_LISTIFY_23_(f, sep, ...) \
	UTIL_LISTIFY_22_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(22, ##__VA_ARGS__)
#define UTIL_LISTIFY_24_(f, sep, ...) \
	UTIL_LISTIFY_23_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(23, ##__VA_ARGS__)
#define UTIL_LISTIFY_25_(f, sep, ...) \
	UTIL_LISTIFY_24_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(24, ##__VA_ARGS__)
#define UTIL_LISTIFY_26_(f, sep, ...) \
	UTIL_LISTIFY_25_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(25, ##__VA_ARGS__)
#define UTIL_LISTIFY_27_(f, sep, ...) \
	UTIL_LISTIFY_26_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(26, ##__VA_ARGS__)
#define UTIL_LISTIFY_28_(f, sep, ...) \
	UTIL_LISTIFY_27_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(27, ##__VA_ARGS__)
#define UTIL_LISTIFY_29_(f, sep, ...) \
	UTIL_LISTIFY_28_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(28, ##__VA_ARGS__)
#define UTIL_LISTIFY_30_(f, sep, ...) \
	UTIL_LISTIFY_29_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(29, ##__VA_ARGS__)
#define UTIL_LISTIFY_31_(f, sep, ...) \
	UTIL_LISTIFY_30_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(30, ##__VA_ARGS__)
#define UTIL_LISTIFY_32_(f, sep, ...) \
	UTIL_LISTIFY_31_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(31, ##__VA_ARGS__)
#define UTIL_LISTIFY_33_(f, sep, ...) \
	UTIL_LISTIFY_32_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(32, ##__VA_ARGS__)
#define UTIL_LISTIFY_34_(f, sep, ...) \
	UTIL_LISTIFY_33_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(33, ##__VA_ARGS__)
#define UTIL_LISTIFY_35_(f, sep, ...) \
	UTIL_LISTIFY_34_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(34, ##__VA_ARGS__)
#define UTIL_LISTIFY_36_(f, sep, ...) \
	UTIL_LISTIFY_35_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(35, ##__VA_ARGS__)
#define UTIL_LISTIFY_37_(f, sep, ...) \
	UTIL_LISTIFY_36_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(36, ##__VA_ARGS__)
#define UTIL_LISTIFY_38_(f, sep, ...) \
	UTIL_LISTIFY_37_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(37, ##__VA_ARGS__)
#define UTIL_LISTIFY_39_(f, sep, ...) \
	UTIL_LISTIFY_38_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(38, ##__VA_ARGS__)
#define UTIL_LISTIFY_40_(f, sep, ...) \
	UTIL_LISTIFY_39_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(39, ##__VA_ARGS__)
#define UTIL_LISTIFY_41_(f, sep, ...) \
	UTIL_LISTIFY_40_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(40, ##__VA_ARGS__)
#define UTIL_LISTIFY_42_(f, sep, ...) \
	UTIL_LISTIFY_41_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(41, ##__VA_ARGS__)
#define UTIL_LISTIFY_43_(f, sep, ...) \
	UTIL_LISTIFY_42_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(42, ##__VA_ARGS__)
#define UTIL_LISTIFY_44_(f, sep, ...) \
	UTIL_LISTIFY_43_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(43, ##__VA_ARGS__)
#define UTIL_LISTIFY_45_(f, sep, ...) \
	UTIL_LISTIFY_44_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(44, ##__VA_ARGS__)
#define UTIL_LISTIFY_46_(f, sep, ...) \
	UTIL_LISTIFY_45_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(45, ##__VA_ARGS__)
#define UTIL_LISTIFY_47_(f, sep, ...) \
	UTIL_LISTIFY_46_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(46, ##__VA_ARGS__)
#define UTIL_LISTIFY_48_(f, sep, ...) \
	UTIL_LISTIFY_47_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(47, ##__VA_ARGS__)
#define UTIL_LISTIFY_49_(f, sep, ...) \
	UTIL_LISTIFY_48_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(48, ##__VA_ARGS__)
#define UTIL_LISTIFY_50_(f, sep, ...) \
	UTIL_LISTIFY_49_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(49, ##__VA_ARGS__)
#define UTIL_LISTIFY_51_(f, sep, ...) \
	UTIL_LISTIFY_50_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(50, ##__VA_ARGS__)
#define UTIL_LISTIFY_52_(f, sep, ...) \
	UTIL_LISTIFY_51_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(51, ##__VA_ARGS__)
#define UTIL_LISTIFY_53_(f, sep, ...) \
	UTIL_LISTIFY_52_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(52, ##__VA_ARGS__)
#define UTIL_LISTIFY_54_(f, sep, ...) \
	UTIL_LISTIFY_53_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(53, ##__VA_ARGS__)
#define UTIL_LISTIFY_55_(f, sep, ...) \
	UTIL_LISTIFY_54_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(54, ##__VA_ARGS__)
#define UTIL_LISTIFY_56_(f, sep, ...) \
	UTIL_LISTIFY_55_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(55, ##__VA_ARGS__)
#define UTIL_LISTIFY_57_(f, sep, ...) \
	UTIL_LISTIFY_56_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(56, ##__VA_ARGS__)
#define UTIL_LISTIFY_58_(f, sep, ...) \
	UTIL_LISTIFY_57_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(57, ##__VA_ARGS__)
#define UTIL_LISTIFY_59_(f, sep, ...) \
	UTIL_LISTIFY_58_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(58, ##__VA_ARGS__)
#define UTIL_LISTIFY_60_(f, sep, ...) \
	UTIL_LISTIFY_59_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(59, ##__VA_ARGS__)
#define UTIL_LISTIFY_61_(f, sep, ...) \
	UTIL_LISTIFY_60_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(60, ##__VA_ARGS__)
#define UTIL_LISTIFY_62_(f, sep, ...) \
	UTIL_LISTIFY_61_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(61, ##__VA_ARGS__)
#define UTIL_LISTIFY_63_(f, sep, ...) \
	UTIL_LISTIFY_62_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(62, ##__VA_ARGS__)
#define UTIL_LISTIFY_64_(f, sep, ...) \
	UTIL_LISTIFY_63_(f, sep, ##__VA_ARGS__) UTIL_SEP_ sep f(63, ##__VA_ARGS__)

#endif /* ZEPHYR_SYS_UTIL_LOOPS_H */
