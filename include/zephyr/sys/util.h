/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Small things that Zephyr's users have at hand: arithmetic of constants and bits, pointers as
 * numbers, digits and hexadecimal text.
 */
#ifndef ZEPHYR_SYS_UTIL_H
#define ZEPHYR_SYS_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zephyr/toolchain.h>
#include <zephyr/sys/util_macro.h>
#include <zephyr/sys/util_utf8.h>

EXTERN_C_BEGIN_

/** The bits of a long. */
#define BITS_PER_LONG      (8 * (int)sizeof(long))
/** The bits of a long long. */
#define BITS_PER_LONG_LONG (8 * (int)sizeof(long long))
/** The bits of a type's or a value's size. */
#define NUM_BITS(t)        (8U * sizeof(t))
/** The bits of one byte. */
#define BITS_PER_BYTE      8

/** A pointer as a number. Context: either. */
#define POINTER_TO_UINT(x) ((uintptr_t)(x))
/** A number as a pointer. Context: either. */
#define UINT_TO_POINTER(x) ((void *)(uintptr_t)(x))
/** A pointer as a signed number. Context: either. */
#define POINTER_TO_INT(x)  ((intptr_t)(x))
/** A signed number as a pointer. Context: either. */
#define INT_TO_POINTER(x)  ((void *)(intptr_t)(x))

/** a / b, rounded up. */
#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
/** n / d, rounded to the nearest; n and d of one sign or not. */
#define DIV_ROUND_CLOSEST(n, d)                                                           \
	((((__typeof__(n))-1 > 0) || ((n) > 0)) == (((__typeof__(d))-1 > 0) || ((d) > 0)) \
		 ? ((n) + ((d) / 2)) / (d)                                                \
		 : ((n) - ((d) / 2)) / (d))
/** x or the next multiple of a pointer's size. */
#define WB_UP(x)             ROUND_UP(x, sizeof(void *))
/** x or the last multiple of a pointer's size before it. */
#define WB_DN(x)             ROUND_DOWN(x, sizeof(void *))
/** Is it a multiple of `align`, a power of two? */
#define IS_ALIGNED(p, align) (((uintptr_t)(p) & ((uintptr_t)(align) - 1U)) == 0U)

/** The least of three. */
#define MIN3(a, b, c)             MIN(a, MIN(b, c))
/** The greatest of three. */
#define MAX3(a, b, c)             MAX(a, MAX(b, c))
/** value, or the nearer end of low to high. Evaluates them twice. */
#define CLAMP(value, low, high)   (((value) <= (low)) ? (low) : MIN(value, high))
/** Is value from min to max? Evaluates it twice. */
#define IN_RANGE(value, min, max) ((value) >= (min) && (value) <= (max))

/** x kibibytes, in bytes. */
#define KB(x)  ((x) << 10)
/** x mebibytes, in bytes. */
#define MB(x)  (KB(x) << 10)
/** x gibibytes, in bytes. */
#define GB(x)  (MB(x) << 10)
/** x kilohertz, in hertz. */
#define KHZ(x) ((x) * 1000)
/** x megahertz, in hertz. */
#define MHZ(x) (KHZ(x) * 1000)

/** The number of the highest bit that is set; -1 of 0. */
#define LOG2(x)     ((x) < 1 ? -1 : 63 - __builtin_clzll((unsigned long long)(x)))
/** log2, rounded up; 0 of 1 and less. */
#define LOG2CEIL(x) ((x) <= 1 ? 0 : 64 - __builtin_clzll((unsigned long long)(x) - 1ULL))
/** x or the next power of two; 1 of less. */
#define NHPOT(x)                                                \
	((x) < 1                                         ? 1ULL \
	 : (((unsigned long long)(x) - 1ULL) >> 63) != 0 ? 0ULL \
							 : 1ULL << LOG2CEIL(x))
/** The same, of constants. */
#define POW2_CEIL(x)            ((x) <= 2 ? (x) : (1UL << (8U * sizeof(long) - __builtin_clzl((x) - 1UL))))
/** The lowest bit that is set, as a value. */
#define LSB_GET(value)          ((value) & -(value))
/** What stands in the bits of `mask`. */
#define FIELD_GET(mask, value)  (((value) & (mask)) / LSB_GET(mask))
/** value, put into the bits of `mask`. */
#define FIELD_PREP(mask, value) (((value) * LSB_GET(mask)) & (mask))

/** The size of a member, bytes. */
#define SIZEOF_FIELD(type, member) sizeof((((type *)0)->member))
/** Is it an array, and no pointer? */
#ifdef __cplusplus
#define IS_ARRAY(array) 1
#else
#define IS_ARRAY(array) (!__builtin_types_compatible_p(__typeof__(array), __typeof__(&(array)[0])))
#endif
/** Does ptr point to an element of the array, at its beginning? */
#define IS_ARRAY_ELEMENT(array, ptr)                                            \
	((ptr) && POINTER_TO_UINT(array) <= POINTER_TO_UINT(ptr) &&             \
	 POINTER_TO_UINT(ptr) < POINTER_TO_UINT(&(array)[ARRAY_SIZE(array)]) && \
	 (POINTER_TO_UINT(ptr) - POINTER_TO_UINT(array)) % sizeof((array)[0]) == 0)
/** Does ptr point into the array? */
#define PART_OF_ARRAY(array, ptr)                                   \
	((ptr) && POINTER_TO_UINT(array) <= POINTER_TO_UINT(ptr) && \
	 POINTER_TO_UINT(ptr) < POINTER_TO_UINT(&(array)[ARRAY_SIZE(array)]))
/** Which element it is. */
#define ARRAY_INDEX(array, ptr) ((size_t)((const __typeof__((array)[0]) *)(ptr) - (array)))
/** In which element it lies. */
#define ARRAY_INDEX_FLOOR(array, ptr) \
	((size_t)((POINTER_TO_UINT(ptr) - POINTER_TO_UINT(array)) / sizeof((array)[0])))
/** Goes over an array's indices with idx. */
#define ARRAY_FOR_EACH(array, idx) for (size_t idx = 0; idx < ARRAY_SIZE(array); ++idx)
/** Goes over an array's elements with the pointer ptr. */
#define ARRAY_FOR_EACH_PTR(array, ptr)                                                           \
	for (__typeof__((array)[0]) *ptr = (array); (size_t)(ptr - (array)) < ARRAY_SIZE(array); \
	     ++ptr)
#ifndef __cplusplus
/** Are they of one type? */
#define SAME_TYPE(a, b) __builtin_types_compatible_p(__typeof__(a), __typeof__(b))
#endif

/**
 * Wait until `expr` is true, at most about `timeout` microseconds, with `delay_stmt` in between.
 * Returns whether it was. Context: either.
 */
#define WAIT_FOR(expr, timeout, delay_stmt)                                                   \
	__extension__({                                                                       \
		const uint64_t wait_cycles_ = (uint64_t)sys_clock_hw_cycles_per_sec() *       \
					      (uint64_t)(timeout) / 1000000U;                 \
		const uint32_t wait_from_ = k_cycle_get_32();                                 \
		while (!(expr) && (uint32_t)(k_cycle_get_32() - wait_from_) < wait_cycles_) { \
			delay_stmt;                                                           \
			__asm__ volatile("" ::: "memory");                                    \
		}                                                                             \
		(expr);                                                                       \
	})

/** Returns value >> shift with its sign. Context: either. */
static inline int64_t arithmetic_shift_right(int64_t value, uint8_t shift)
{
	return value >> shift;
}

/** Returns the lowest bits of value, up to bit index, with that as the sign. Context: either. */
static inline int32_t sign_extend(uint32_t value, uint8_t index)
{
	uint8_t shift = (uint8_t)(31U - index);

	return (int32_t)(value << shift) >> shift;
}

/** As sign_extend(), of 64 bits. Returns it. Context: either. */
static inline int64_t sign_extend_64(uint64_t value, uint8_t index)
{
	uint8_t shift = (uint8_t)(63U - index);

	return (int64_t)(value << shift) >> shift;
}

/** Returns 12 of 0x12. Context: either. */
static inline uint8_t bcd2bin(uint8_t bcd)
{
	return (uint8_t)(10U * (bcd >> 4U) + (bcd & 0x0FU));
}

/** Returns 0x12 of 12, of numbers up to 99. Context: either. */
static inline uint8_t bin2bcd(uint8_t bin)
{
	return (uint8_t)(((bin / 10U) << 4U) | (bin % 10U));
}

/** Copies size bytes, one at a time, the lowest first. Context: either. */
static inline void bytecpy(void *dst, const void *src, size_t size)
{
	/* Bound: size. */
	for (size_t i = 0; i < size; i++) {
		((volatile uint8_t *)dst)[i] = ((const volatile uint8_t *)src)[i];
	}
}

/** Exchanges size bytes at a and b, which do not overlap. Context: either. */
static inline void byteswp(void *a, void *b, size_t size)
{
	uint8_t *x = (uint8_t *)a;
	uint8_t *y = (uint8_t *)b;

	/* Bound: size. */
	for (size_t i = 0; i < size; i++) {
		uint8_t kept = x[i];

		x[i] = y[i];
		y[i] = kept;
	}
}

/** XORs len bytes of two into dst. Context: either. */
static inline void mem_xor_n(uint8_t *dst, const uint8_t *src1, const uint8_t *src2, size_t len)
{
	/* Bound: len. */
	for (size_t i = 0; i < len; i++) {
		dst[i] = src1[i] ^ src2[i];
	}
}

/** mem_xor_n() of 4 bytes. Context: either. */
static inline void mem_xor_32(uint8_t dst[4], const uint8_t src1[4], const uint8_t src2[4])
{
	mem_xor_n(dst, src1, src2, 4U);
}

/** mem_xor_n() of 16 bytes. Context: either. */
static inline void mem_xor_128(uint8_t dst[16], const uint8_t src1[16], const uint8_t src2[16])
{
	mem_xor_n(dst, src1, src2, 16U);
}

/** Returns the bits that are set in `len` bytes. Context: either. */
size_t sys_count_bits(const void *value, size_t len);

/** The value of a hexadecimal digit into *x. Returns 0, or -EINVAL: it is none. Context: either. */
int char2hex(char c, uint8_t *x);
/**
 * The digit of a value up to 15, in lower case, into *c. Returns 0, or -EINVAL. Context: either.
 */
int hex2char(uint8_t x, char *c);
/**
 * buf's bytes as hexadecimal digits, with a 0 behind them.
 * Returns their number; 0: hexlen is less than 2 * buflen + 1.
 * Context: either.
 */
size_t bin2hex(const uint8_t *buf, size_t buflen, char *hex, size_t hexlen);
/**
 * Bytes of hexadecimal digits; an odd one in front counts as its own byte.
 * Returns their number; 0: no digit, or buflen is too small.
 * Context: either.
 */
size_t hex2bin(const char *hex, size_t hexlen, uint8_t *buf, size_t buflen);
/** Decimal digits of value into buf, with a 0 if it fits. Returns their number. Context: either. */
uint8_t u8_to_dec(char *buf, uint8_t buflen, uint8_t value);

EXTERN_C_END_

#endif /* ZEPHYR_SYS_UTIL_H */
