/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Sums and products that say whether they overflow, and zeros at a word's ends.
 */
#ifndef ZEPHYR_SYS_MATH_EXTRAS_H
#define ZEPHYR_SYS_MATH_EXTRAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <zephyr/sys/util.h>

EXTERN_C_BEGIN_

/* `*result` is what fits; true: not all did. */
#define MATH_OVERFLOW_(name, type, of)                        \
	static inline bool name(type a, type b, type *result) \
	{                                                     \
		return of(a, b, result);                      \
	}

MATH_OVERFLOW_(u16_add_overflow, uint16_t, __builtin_add_overflow)
MATH_OVERFLOW_(u32_add_overflow, uint32_t, __builtin_add_overflow)
MATH_OVERFLOW_(u64_add_overflow, uint64_t, __builtin_add_overflow)
MATH_OVERFLOW_(size_add_overflow, size_t, __builtin_add_overflow)
MATH_OVERFLOW_(u32_mul_overflow, uint32_t, __builtin_mul_overflow)
MATH_OVERFLOW_(u64_mul_overflow, uint64_t, __builtin_mul_overflow)
MATH_OVERFLOW_(size_mul_overflow, size_t, __builtin_mul_overflow)

/** Returns the zeros above the highest one, 32 of 0. Context: either. */
static inline int u32_count_leading_zeros(uint32_t x)
{
	return x == 0U ? 32 : __builtin_clz(x);
}

/** Returns the zeros above the highest one, 64 of 0. Context: either. */
static inline int u64_count_leading_zeros(uint64_t x)
{
	return x == 0U ? 64 : __builtin_clzll(x);
}

/** Returns the zeros below the lowest one, 32 of 0. Context: either. */
static inline int u32_count_trailing_zeros(uint32_t x)
{
	return x == 0U ? 32 : __builtin_ctz(x);
}

/** Returns the zeros below the lowest one, 64 of 0. Context: either. */
static inline int u64_count_trailing_zeros(uint64_t x)
{
	return x == 0U ? 64 : __builtin_ctzll(x);
}

EXTERN_C_END_

#endif /* ZEPHYR_SYS_MATH_EXTRAS_H */
