/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Choices and loops of the preprocessor, and bits, as Zephyr names them. Loops take up to 63
 * arguments or 64 rounds; numbers that are pasted (UTIL_INC(), IS_EQ() and the like) are at most
 * 64.
 */
#ifndef ZEPHYR_SYS_UTIL_MACRO_H
#define ZEPHYR_SYS_UTIL_MACRO_H

#include <foliot/util.h>
#include <zephyr/sys/util_loops.h>
#include <zephyr/sys/util_numbers.h>

/** Bit n of 64. */
#define BIT64(n)                  (1ULL << (n))
/** Set bit `bit` of var, or clear it. */
#define WRITE_BIT(var, bit, set)  ((var) = (set) ? ((var) | BIT(bit)) : ((var) & ~BIT(bit)))
/** The n lowest bits. */
#define BIT_MASK(n)               (BIT(n) - 1UL)
/** The n lowest bits of 64. */
#define BIT64_MASK(n)             (BIT64(n) - 1ULL)
/** Bits l to h of an unsigned long, both included. */
#define GENMASK(h, l)             (((~0UL) - (1UL << (l)) + 1UL) & (~0UL >> (8U * sizeof(long) - 1U - (h))))
/** Bits l to h of 64. */
#define GENMASK64(h, l)           (((~0ULL) - (1ULL << (l)) + 1ULL) & (~0ULL >> (63U - (h))))
/** 1 where x is not 0 and has one bit. */
#define IS_POWER_OF_TWO(x)        (((x) != 0U) && (((x) & ((x) - 1U)) == 0U))
/** 1 where m's bits are the lowest ones. */
#define IS_BIT_MASK(m)            IS_SHIFTED_BIT_MASK(m, 0)
/** 1 where m's bits follow each other from bit s on. */
#define IS_SHIFTED_BIT_MASK(m, s) ((((m) >> (s)) != 0U) && ((((m) & ((m) + (1ULL << (s))))) == 0U))

/** The code of `taken` where `flag` expands to 1, else that of `other`; both in parentheses. */
#define COND_CODE_1(flag, taken, other)  UTIL_COND_1_(flag, taken, other)
/** The same where it expands to 0. */
#define COND_CODE_0(flag, taken, other)  UTIL_COND_0_(flag, taken, other)
#define UTIL_COND_1_(flag, taken, other) UTIL_TAKE_X_(UTIL_IF_1_##flag##_ taken, other)
#define UTIL_COND_0_(flag, taken, other) UTIL_TAKE_X_(UTIL_IF_0_##flag##_ taken, other)
#define UTIL_IF_1_1_                     _,
#define UTIL_IF_0_0_                     _,
#define UTIL_TAKE_X_(...)                UTIL_TAKE_(__VA_ARGS__)
#define UTIL_TAKE_(x, taken, ...)        UTIL_SEP_ taken
/**
 * The code of the first flag that expands to 1, else the last one's: flag, code, flag, code ...,
 * code, each code in parentheses; up to 8 flags.
 */
#define COND_CASE_1(...)                 UTIL_CHAIN_(UTIL_CASE_, UTIL_COUNT_(__VA_ARGS__))(__VA_ARGS__)
#define UTIL_CASE_1_(other)              UTIL_SEP_ other
#define UTIL_CASE_3_(flag, code, ...)    COND_CODE_1(flag, code, (UTIL_CASE_1_(__VA_ARGS__)))
#define UTIL_CASE_5_(flag, code, ...)    COND_CODE_1(flag, code, (UTIL_CASE_3_(__VA_ARGS__)))
#define UTIL_CASE_7_(flag, code, ...)    COND_CODE_1(flag, code, (UTIL_CASE_5_(__VA_ARGS__)))
#define UTIL_CASE_9_(flag, code, ...)    COND_CODE_1(flag, code, (UTIL_CASE_7_(__VA_ARGS__)))
#define UTIL_CASE_11_(flag, code, ...)   COND_CODE_1(flag, code, (UTIL_CASE_9_(__VA_ARGS__)))
#define UTIL_CASE_13_(flag, code, ...)   COND_CODE_1(flag, code, (UTIL_CASE_11_(__VA_ARGS__)))
#define UTIL_CASE_15_(flag, code, ...)   COND_CODE_1(flag, code, (UTIL_CASE_13_(__VA_ARGS__)))
#define UTIL_CASE_17_(flag, code, ...)   COND_CODE_1(flag, code, (UTIL_CASE_15_(__VA_ARGS__)))
/** The code, in parentheses, where `flag` is 1, else nothing. */
#define IF_ENABLED(flag, code)           COND_CODE_1(flag, code, ())
/** The code where `flag` is not 1, as that of an option that is off. */
#define IF_DISABLED(flag, code)          COND_CODE_1(flag, (), code)

/** 0 of 0, 1 of another number. */
#define UTIL_BOOL(x)      COND_CODE_0(x, (0), (1))
/** 1 of 0, 0 of another number. */
#define UTIL_NOT(x)       COND_CODE_0(x, (1), (0))
/** a where a is not 0, else b. */
#define UTIL_OR(a, b)     COND_CODE_1(UTIL_BOOL(a), (a), (b))
/** b where a is not 0, else 0. */
#define UTIL_AND(a, b)    COND_CODE_1(UTIL_BOOL(a), (b), (0))
/** x + 1, as a token; at most 65. */
#define UTIL_INC(x)       UTIL_INC__(x)
#define UTIL_INC__(x)     UTIL_INC_##x##_
/** x - 1, as a token; 0 of 0. */
#define UTIL_DEC(x)       UTIL_DEC__(x)
#define UTIL_DEC__(x)     UTIL_DEC_##x##_
/** 2 x, as an expression. */
#define UTIL_X2(x)        ((x) * 2)
/** Both as one token, each expanded before. */
#define UTIL_CAT(a, ...)  UTIL_CAT_(a, __VA_ARGS__)
#define UTIL_CAT_(a, ...) a##__VA_ARGS__
/** 1 where two numbers up to 64 are the same, else 0. */
#define IS_EQ(a, b)       IS_EQ_(a, b)
#define IS_EQ_(a, b)      COND_CODE_1(UTIL_SAME_##a##_##b##_, (1), (0))
/** 1 where nothing stands between the parentheses, else 0. */
#define IS_EMPTY(...)     IS_EMPTY_(__VA_ARGS__)
#define IS_EMPTY_(...)    UTIL_FIRST_X_(__VA_OPT__(0, ) 1, _)
/** Nothing. */
#define EMPTY
/** x. */
#define IDENTITY(x)             x
#define UTIL_FIRST_(x, ...)     x
#define UTIL_FIRST_X_(...)      UTIL_FIRST_(__VA_ARGS__)
#define UTIL_BUT_FIRST_(x, ...) __VA_ARGS__
#define UTIL_BUT_FIRST_X_(...)  UTIL_BUT_FIRST_(__VA_ARGS__)

/** How many arguments there are, 0 to 63. */
#define NUM_VA_ARGS(...)        UTIL_COUNT_(__VA_ARGS__)
/** One fewer, of 1 to 63. */
#define NUM_VA_ARGS_LESS_1(...) UTIL_DEC(UTIL_COUNT_(__VA_ARGS__))
/** The n-th argument behind it, from 1 on. */
#define GET_ARG_N(n, ...)       UTIL_FIRST_X_(UTIL_CHAIN_(UTIL_FROM_, n)(__VA_ARGS__))
/** All but the first n. */
#define GET_ARGS_LESS_N(n, ...) UTIL_CHAIN_(UTIL_FROM_, UTIL_INC(n))(__VA_ARGS__)
/** The arguments, the last one first. */
#define REVERSE_ARGS(...)       UTIL_CHAIN_(UTIL_REVERSE_, UTIL_COUNT_(__VA_ARGS__))(__VA_ARGS__)
/** The arguments that are not empty. */
#define LIST_DROP_EMPTY(...)    UTIL_BUT_FIRST_X_(_ UTIL_EACH_X_(UTIL_IF_ANY_, (), _, __VA_ARGS__))
#define UTIL_IF_ANY_(ctx, i, x) COND_CODE_1(IS_EMPTY(x), (), (, x))
/** The arguments as one token, each expanded before; up to 16. */
#undef CONCAT
#define CONCAT(...)                MACRO_MAP_CAT(IDENTITY, __VA_ARGS__)
/** f(x) of each argument x, as one token; up to 16. */
#define MACRO_MAP_CAT(f, ...)      UTIL_CHAIN_(UTIL_MAP_, UTIL_COUNT_(__VA_ARGS__))(f, ##__VA_ARGS__)
/** Zephyr's older form, with their number. */
#define MACRO_MAP_CAT_N(n, f, ...) UTIL_CHAIN_(UTIL_MAP_, n)(f, ##__VA_ARGS__)

/* A chain's first macro; and the loop over arguments, with what it calls. */
#define UTIL_CHAIN_(name, n)   UTIL_CHAIN_X_(name, n)
#define UTIL_CHAIN_X_(name, n) name##n##_
#define UTIL_EACH_X_(call, sep, ctx, ...) \
	UTIL_CHAIN_(UTIL_EACH_, UTIL_COUNT_(__VA_ARGS__))(call, sep, ctx, 0, ##__VA_ARGS__)
#define UTIL_CALL_(f, i, x)               f(x)
#define UTIL_CALL_IDX_(f, i, x)           f(i, x)
#define UTIL_CALL_TERM_(ctx, i, x)        COND_CODE_1(IS_EMPTY(x), (), (UTIL_TERM_(UTIL_SEP_ ctx, x)))
#define UTIL_TERM_(...)                   UTIL_TERM_X_(__VA_ARGS__)
#define UTIL_TERM_X_(f, term, x)          f(x) UTIL_SEP_ term
#define UTIL_CALL_FIXED_(ctx, i, x)       UTIL_FIXED_(UTIL_SEP_ ctx, x)
#define UTIL_FIXED_(...)                  UTIL_FIXED_X_(__VA_ARGS__)
#define UTIL_FIXED_X_(f, fixed, x)        f(x, fixed)
#define UTIL_CALL_IDX_FIXED_(ctx, i, x)   UTIL_IDX_FIXED_(UTIL_SEP_ ctx, i, x)
#define UTIL_IDX_FIXED_(...)              UTIL_IDX_FIXED_X_(__VA_ARGS__)
#define UTIL_IDX_FIXED_X_(f, fixed, i, x) f(i, x, fixed)

/** f(i, arguments) for i from 0 to len - 1 (a number up to 64), with `sep` in between: `(;)`. */
#define LISTIFY(len, f, sep, ...) UTIL_CHAIN_(UTIL_LISTIFY_, len)(f, sep, ##__VA_ARGS__)
/** f(x) for each argument x, with `sep` in between. */
#define FOR_EACH(f, sep, ...)     UTIL_EACH_X_(UTIL_CALL_, sep, f, ##__VA_ARGS__)
/** f(i, x) for each, i from 0 on. */
#define FOR_EACH_IDX(f, sep, ...) UTIL_EACH_X_(UTIL_CALL_IDX_, sep, f, ##__VA_ARGS__)
/** f(x) and then `term` for each that is not empty. */
#define FOR_EACH_NONEMPTY_TERM(f, term, ...) \
	UTIL_EACH_X_(UTIL_CALL_TERM_, (), (f, term), ##__VA_ARGS__)
/** f(x, fixed) for each. */
#define FOR_EACH_FIXED_ARG(f, sep, fixed, ...) \
	UTIL_EACH_X_(UTIL_CALL_FIXED_, sep, (f, fixed), ##__VA_ARGS__)
/** f(i, x, fixed) for each. */
#define FOR_EACH_IDX_FIXED_ARG(f, sep, fixed, ...) \
	UTIL_EACH_X_(UTIL_CALL_IDX_FIXED_, sep, (f, fixed), ##__VA_ARGS__)

#endif /* ZEPHYR_SYS_UTIL_MACRO_H */
