/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Times in other units: k_UNIT_to_UNIT_ROUNDING_BITS(), of cycles of the board's timer, ticks,
 * milliseconds, microseconds and nanoseconds.
 *
 * Arithmetic only, and exact: what does not fit the result is lost at the top, in 32 bits
 * as in 64. A count that is to be a time-out is clamped by K_TICKS() and its kin. Each is a
 * function, with an address; called with a constant it is a constant expression, too. floor
 * rounds down, ceil up, near to the nearest, and a half up.
 */
#ifndef FOLIOT_TIME_UNITS_H
#define FOLIOT_TIME_UNITS_H

#include <stdint.h>
#include <board.h>

#define HZ_CYC_   ((uint64_t)(BOARD_TIMER_HZ))
#define HZ_TICKS_ ((uint64_t)(CONFIG_SYS_CLOCK_TICKS_PER_SEC))
#define HZ_MS_    UINT64_C(1000)
#define HZ_US_    UINT64_C(1000000)
#define HZ_NS_    UINT64_C(1000000000)

/* What is added before a division by `by`. */
#define K_ROUND_floor_(by) UINT64_C(0)
#define K_ROUND_ceil_(by)  ((by) - 1U)
#define K_ROUND_near_(by)  ((by) / 2U)

/*
 * t of which `from` make a second, in units of which `to` do. By whole seconds and what is left, so
 * that no product overflows that the result does not.
 */
#define K_CONVERT_ANY_(t, from, to, round) \
	((t) / (from) * (to) + ((t) % (from) * (to) + K_ROUND_##round##_(from)) / (from))
#define K_DIVIDE_(t, by, round) ((t) / (by) + ((t) % (by) + K_ROUND_##round##_(by)) / (by))

/* A quotient of the arm that is not taken divides nothing by zero: clang warns of it there, too. */
#define K_NOT_0_(n) ((n) == 0 ? 1 : (n))
#define K_CONVERT_CONST_(t, from, to, round)                                 \
	((to) % (from) == 0   ? (t) * ((to) / (from))                        \
	 : (from) % (to) == 0 ? K_DIVIDE_(t, K_NOT_0_((from) / (to)), round) \
			      : K_CONVERT_ANY_(t, from, to, round))

#ifdef __cplusplus
#define K_CONVERSION_ constexpr
#else
#define K_CONVERSION_ static inline
#endif

#define K_CONVERSION_OF_(name, from, to, round)                        \
	K_CONVERSION_ uint64_t name##64(uint64_t t)                    \
	{                                                              \
		return K_CONVERT_CONST_(t, from, to, round);           \
	}                                                              \
	K_CONVERSION_ uint32_t name##32(uint64_t t)                    \
	{                                                              \
		return (uint32_t)K_CONVERT_CONST_(t, from, to, round); \
	}
#define K_CONVERSIONS_(name, from, to)                  \
	K_CONVERSION_OF_(name##_floor, from, to, floor) \
	K_CONVERSION_OF_(name##_ceil, from, to, ceil)   \
	K_CONVERSION_OF_(name##_near, from, to, near)

K_CONVERSIONS_(k_cyc_to_ticks, HZ_CYC_, HZ_TICKS_)
K_CONVERSIONS_(k_cyc_to_ms, HZ_CYC_, HZ_MS_)
K_CONVERSIONS_(k_cyc_to_us, HZ_CYC_, HZ_US_)
K_CONVERSIONS_(k_cyc_to_ns, HZ_CYC_, HZ_NS_)
K_CONVERSIONS_(k_ticks_to_cyc, HZ_TICKS_, HZ_CYC_)
K_CONVERSIONS_(k_ticks_to_ms, HZ_TICKS_, HZ_MS_)
K_CONVERSIONS_(k_ticks_to_us, HZ_TICKS_, HZ_US_)
K_CONVERSIONS_(k_ticks_to_ns, HZ_TICKS_, HZ_NS_)
K_CONVERSIONS_(k_ms_to_cyc, HZ_MS_, HZ_CYC_)
K_CONVERSIONS_(k_ms_to_ticks, HZ_MS_, HZ_TICKS_)
K_CONVERSIONS_(k_ms_to_us, HZ_MS_, HZ_US_)
K_CONVERSIONS_(k_ms_to_ns, HZ_MS_, HZ_NS_)
K_CONVERSIONS_(k_us_to_cyc, HZ_US_, HZ_CYC_)
K_CONVERSIONS_(k_us_to_ticks, HZ_US_, HZ_TICKS_)
K_CONVERSIONS_(k_us_to_ms, HZ_US_, HZ_MS_)
K_CONVERSIONS_(k_us_to_ns, HZ_US_, HZ_NS_)
K_CONVERSIONS_(k_ns_to_cyc, HZ_NS_, HZ_CYC_)
K_CONVERSIONS_(k_ns_to_ticks, HZ_NS_, HZ_TICKS_)
K_CONVERSIONS_(k_ns_to_ms, HZ_NS_, HZ_MS_)
K_CONVERSIONS_(k_ns_to_us, HZ_NS_, HZ_US_)

/* Of a constant, a constant expression; of all else a call, which evaluates it once. */
#define K_CONVERT_(name, bits, t, from, to, round)                                              \
	__builtin_choose_expr(__builtin_constant_p(t),                                          \
			      (uint##bits##_t)K_CONVERT_CONST_((uint64_t)(t), from, to, round), \
			      name((uint64_t)(t)))

#ifndef __cplusplus
/** Cycles of the board's timer in ticks, rounded down, modulo 2^32. Context: either. */
#define k_cyc_to_ticks_floor32(t) \
	K_CONVERT_((k_cyc_to_ticks_floor32), 32, t, HZ_CYC_, HZ_TICKS_, floor)
/** Cycles of the board's timer in ticks, rounded down. Context: either. */
#define k_cyc_to_ticks_floor64(t) \
	K_CONVERT_((k_cyc_to_ticks_floor64), 64, t, HZ_CYC_, HZ_TICKS_, floor)
/** Cycles of the board's timer in ticks, rounded up, modulo 2^32. Context: either. */
#define k_cyc_to_ticks_ceil32(t) \
	K_CONVERT_((k_cyc_to_ticks_ceil32), 32, t, HZ_CYC_, HZ_TICKS_, ceil)
/** Cycles of the board's timer in ticks, rounded up. Context: either. */
#define k_cyc_to_ticks_ceil64(t) \
	K_CONVERT_((k_cyc_to_ticks_ceil64), 64, t, HZ_CYC_, HZ_TICKS_, ceil)
/** Cycles of the board's timer in ticks, to the nearest, modulo 2^32. Context: either. */
#define k_cyc_to_ticks_near32(t) \
	K_CONVERT_((k_cyc_to_ticks_near32), 32, t, HZ_CYC_, HZ_TICKS_, near)
/** Cycles of the board's timer in ticks, to the nearest. Context: either. */
#define k_cyc_to_ticks_near64(t) \
	K_CONVERT_((k_cyc_to_ticks_near64), 64, t, HZ_CYC_, HZ_TICKS_, near)
/** Cycles of the board's timer in milliseconds, rounded down, modulo 2^32. Context: either. */
#define k_cyc_to_ms_floor32(t) K_CONVERT_((k_cyc_to_ms_floor32), 32, t, HZ_CYC_, HZ_MS_, floor)
/** Cycles of the board's timer in milliseconds, rounded down. Context: either. */
#define k_cyc_to_ms_floor64(t) K_CONVERT_((k_cyc_to_ms_floor64), 64, t, HZ_CYC_, HZ_MS_, floor)
/** Cycles of the board's timer in milliseconds, rounded up, modulo 2^32. Context: either. */
#define k_cyc_to_ms_ceil32(t)  K_CONVERT_((k_cyc_to_ms_ceil32), 32, t, HZ_CYC_, HZ_MS_, ceil)
/** Cycles of the board's timer in milliseconds, rounded up. Context: either. */
#define k_cyc_to_ms_ceil64(t)  K_CONVERT_((k_cyc_to_ms_ceil64), 64, t, HZ_CYC_, HZ_MS_, ceil)
/** Cycles of the board's timer in milliseconds, to the nearest, modulo 2^32. Context: either. */
#define k_cyc_to_ms_near32(t)  K_CONVERT_((k_cyc_to_ms_near32), 32, t, HZ_CYC_, HZ_MS_, near)
/** Cycles of the board's timer in milliseconds, to the nearest. Context: either. */
#define k_cyc_to_ms_near64(t)  K_CONVERT_((k_cyc_to_ms_near64), 64, t, HZ_CYC_, HZ_MS_, near)
/** Cycles of the board's timer in microseconds, rounded down, modulo 2^32. Context: either. */
#define k_cyc_to_us_floor32(t) K_CONVERT_((k_cyc_to_us_floor32), 32, t, HZ_CYC_, HZ_US_, floor)
/** Cycles of the board's timer in microseconds, rounded down. Context: either. */
#define k_cyc_to_us_floor64(t) K_CONVERT_((k_cyc_to_us_floor64), 64, t, HZ_CYC_, HZ_US_, floor)
/** Cycles of the board's timer in microseconds, rounded up, modulo 2^32. Context: either. */
#define k_cyc_to_us_ceil32(t)  K_CONVERT_((k_cyc_to_us_ceil32), 32, t, HZ_CYC_, HZ_US_, ceil)
/** Cycles of the board's timer in microseconds, rounded up. Context: either. */
#define k_cyc_to_us_ceil64(t)  K_CONVERT_((k_cyc_to_us_ceil64), 64, t, HZ_CYC_, HZ_US_, ceil)
/** Cycles of the board's timer in microseconds, to the nearest, modulo 2^32. Context: either. */
#define k_cyc_to_us_near32(t)  K_CONVERT_((k_cyc_to_us_near32), 32, t, HZ_CYC_, HZ_US_, near)
/** Cycles of the board's timer in microseconds, to the nearest. Context: either. */
#define k_cyc_to_us_near64(t)  K_CONVERT_((k_cyc_to_us_near64), 64, t, HZ_CYC_, HZ_US_, near)
/** Cycles of the board's timer in nanoseconds, rounded down, modulo 2^32. Context: either. */
#define k_cyc_to_ns_floor32(t) K_CONVERT_((k_cyc_to_ns_floor32), 32, t, HZ_CYC_, HZ_NS_, floor)
/** Cycles of the board's timer in nanoseconds, rounded down. Context: either. */
#define k_cyc_to_ns_floor64(t) K_CONVERT_((k_cyc_to_ns_floor64), 64, t, HZ_CYC_, HZ_NS_, floor)
/** Cycles of the board's timer in nanoseconds, rounded up, modulo 2^32. Context: either. */
#define k_cyc_to_ns_ceil32(t)  K_CONVERT_((k_cyc_to_ns_ceil32), 32, t, HZ_CYC_, HZ_NS_, ceil)
/** Cycles of the board's timer in nanoseconds, rounded up. Context: either. */
#define k_cyc_to_ns_ceil64(t)  K_CONVERT_((k_cyc_to_ns_ceil64), 64, t, HZ_CYC_, HZ_NS_, ceil)
/** Cycles of the board's timer in nanoseconds, to the nearest, modulo 2^32. Context: either. */
#define k_cyc_to_ns_near32(t)  K_CONVERT_((k_cyc_to_ns_near32), 32, t, HZ_CYC_, HZ_NS_, near)
/** Cycles of the board's timer in nanoseconds, to the nearest. Context: either. */
#define k_cyc_to_ns_near64(t)  K_CONVERT_((k_cyc_to_ns_near64), 64, t, HZ_CYC_, HZ_NS_, near)
/** Ticks in cycles of the board's timer, rounded down, modulo 2^32. Context: either. */
#define k_ticks_to_cyc_floor32(t) \
	K_CONVERT_((k_ticks_to_cyc_floor32), 32, t, HZ_TICKS_, HZ_CYC_, floor)
/** Ticks in cycles of the board's timer, rounded down. Context: either. */
#define k_ticks_to_cyc_floor64(t) \
	K_CONVERT_((k_ticks_to_cyc_floor64), 64, t, HZ_TICKS_, HZ_CYC_, floor)
/** Ticks in cycles of the board's timer, rounded up, modulo 2^32. Context: either. */
#define k_ticks_to_cyc_ceil32(t) \
	K_CONVERT_((k_ticks_to_cyc_ceil32), 32, t, HZ_TICKS_, HZ_CYC_, ceil)
/** Ticks in cycles of the board's timer, rounded up. Context: either. */
#define k_ticks_to_cyc_ceil64(t) \
	K_CONVERT_((k_ticks_to_cyc_ceil64), 64, t, HZ_TICKS_, HZ_CYC_, ceil)
/** Ticks in cycles of the board's timer, to the nearest, modulo 2^32. Context: either. */
#define k_ticks_to_cyc_near32(t) \
	K_CONVERT_((k_ticks_to_cyc_near32), 32, t, HZ_TICKS_, HZ_CYC_, near)
/** Ticks in cycles of the board's timer, to the nearest. Context: either. */
#define k_ticks_to_cyc_near64(t) \
	K_CONVERT_((k_ticks_to_cyc_near64), 64, t, HZ_TICKS_, HZ_CYC_, near)
/** Ticks in milliseconds, rounded down, modulo 2^32. Context: either. */
#define k_ticks_to_ms_floor32(t) \
	K_CONVERT_((k_ticks_to_ms_floor32), 32, t, HZ_TICKS_, HZ_MS_, floor)
/** Ticks in milliseconds, rounded down. Context: either. */
#define k_ticks_to_ms_floor64(t) \
	K_CONVERT_((k_ticks_to_ms_floor64), 64, t, HZ_TICKS_, HZ_MS_, floor)
/** Ticks in milliseconds, rounded up, modulo 2^32. Context: either. */
#define k_ticks_to_ms_ceil32(t) K_CONVERT_((k_ticks_to_ms_ceil32), 32, t, HZ_TICKS_, HZ_MS_, ceil)
/** Ticks in milliseconds, rounded up. Context: either. */
#define k_ticks_to_ms_ceil64(t) K_CONVERT_((k_ticks_to_ms_ceil64), 64, t, HZ_TICKS_, HZ_MS_, ceil)
/** Ticks in milliseconds, to the nearest, modulo 2^32. Context: either. */
#define k_ticks_to_ms_near32(t) K_CONVERT_((k_ticks_to_ms_near32), 32, t, HZ_TICKS_, HZ_MS_, near)
/** Ticks in milliseconds, to the nearest. Context: either. */
#define k_ticks_to_ms_near64(t) K_CONVERT_((k_ticks_to_ms_near64), 64, t, HZ_TICKS_, HZ_MS_, near)
/** Ticks in microseconds, rounded down, modulo 2^32. Context: either. */
#define k_ticks_to_us_floor32(t) \
	K_CONVERT_((k_ticks_to_us_floor32), 32, t, HZ_TICKS_, HZ_US_, floor)
/** Ticks in microseconds, rounded down. Context: either. */
#define k_ticks_to_us_floor64(t) \
	K_CONVERT_((k_ticks_to_us_floor64), 64, t, HZ_TICKS_, HZ_US_, floor)
/** Ticks in microseconds, rounded up, modulo 2^32. Context: either. */
#define k_ticks_to_us_ceil32(t) K_CONVERT_((k_ticks_to_us_ceil32), 32, t, HZ_TICKS_, HZ_US_, ceil)
/** Ticks in microseconds, rounded up. Context: either. */
#define k_ticks_to_us_ceil64(t) K_CONVERT_((k_ticks_to_us_ceil64), 64, t, HZ_TICKS_, HZ_US_, ceil)
/** Ticks in microseconds, to the nearest, modulo 2^32. Context: either. */
#define k_ticks_to_us_near32(t) K_CONVERT_((k_ticks_to_us_near32), 32, t, HZ_TICKS_, HZ_US_, near)
/** Ticks in microseconds, to the nearest. Context: either. */
#define k_ticks_to_us_near64(t) K_CONVERT_((k_ticks_to_us_near64), 64, t, HZ_TICKS_, HZ_US_, near)
/** Ticks in nanoseconds, rounded down, modulo 2^32. Context: either. */
#define k_ticks_to_ns_floor32(t) \
	K_CONVERT_((k_ticks_to_ns_floor32), 32, t, HZ_TICKS_, HZ_NS_, floor)
/** Ticks in nanoseconds, rounded down. Context: either. */
#define k_ticks_to_ns_floor64(t) \
	K_CONVERT_((k_ticks_to_ns_floor64), 64, t, HZ_TICKS_, HZ_NS_, floor)
/** Ticks in nanoseconds, rounded up, modulo 2^32. Context: either. */
#define k_ticks_to_ns_ceil32(t) K_CONVERT_((k_ticks_to_ns_ceil32), 32, t, HZ_TICKS_, HZ_NS_, ceil)
/** Ticks in nanoseconds, rounded up. Context: either. */
#define k_ticks_to_ns_ceil64(t) K_CONVERT_((k_ticks_to_ns_ceil64), 64, t, HZ_TICKS_, HZ_NS_, ceil)
/** Ticks in nanoseconds, to the nearest, modulo 2^32. Context: either. */
#define k_ticks_to_ns_near32(t) K_CONVERT_((k_ticks_to_ns_near32), 32, t, HZ_TICKS_, HZ_NS_, near)
/** Ticks in nanoseconds, to the nearest. Context: either. */
#define k_ticks_to_ns_near64(t) K_CONVERT_((k_ticks_to_ns_near64), 64, t, HZ_TICKS_, HZ_NS_, near)
/** Milliseconds in cycles of the board's timer, rounded down, modulo 2^32. Context: either. */
#define k_ms_to_cyc_floor32(t)  K_CONVERT_((k_ms_to_cyc_floor32), 32, t, HZ_MS_, HZ_CYC_, floor)
/** Milliseconds in cycles of the board's timer, rounded down. Context: either. */
#define k_ms_to_cyc_floor64(t)  K_CONVERT_((k_ms_to_cyc_floor64), 64, t, HZ_MS_, HZ_CYC_, floor)
/** Milliseconds in cycles of the board's timer, rounded up, modulo 2^32. Context: either. */
#define k_ms_to_cyc_ceil32(t)   K_CONVERT_((k_ms_to_cyc_ceil32), 32, t, HZ_MS_, HZ_CYC_, ceil)
/** Milliseconds in cycles of the board's timer, rounded up. Context: either. */
#define k_ms_to_cyc_ceil64(t)   K_CONVERT_((k_ms_to_cyc_ceil64), 64, t, HZ_MS_, HZ_CYC_, ceil)
/** Milliseconds in cycles of the board's timer, to the nearest, modulo 2^32. Context: either. */
#define k_ms_to_cyc_near32(t)   K_CONVERT_((k_ms_to_cyc_near32), 32, t, HZ_MS_, HZ_CYC_, near)
/** Milliseconds in cycles of the board's timer, to the nearest. Context: either. */
#define k_ms_to_cyc_near64(t)   K_CONVERT_((k_ms_to_cyc_near64), 64, t, HZ_MS_, HZ_CYC_, near)
/** Milliseconds in ticks, rounded down, modulo 2^32. Context: either. */
#define k_ms_to_ticks_floor32(t) \
	K_CONVERT_((k_ms_to_ticks_floor32), 32, t, HZ_MS_, HZ_TICKS_, floor)
/** Milliseconds in ticks, rounded down. Context: either. */
#define k_ms_to_ticks_floor64(t) \
	K_CONVERT_((k_ms_to_ticks_floor64), 64, t, HZ_MS_, HZ_TICKS_, floor)
/** Milliseconds in ticks, rounded up, modulo 2^32. Context: either. */
#define k_ms_to_ticks_ceil32(t) K_CONVERT_((k_ms_to_ticks_ceil32), 32, t, HZ_MS_, HZ_TICKS_, ceil)
/** Milliseconds in ticks, rounded up. Context: either. */
#define k_ms_to_ticks_ceil64(t) K_CONVERT_((k_ms_to_ticks_ceil64), 64, t, HZ_MS_, HZ_TICKS_, ceil)
/** Milliseconds in ticks, to the nearest, modulo 2^32. Context: either. */
#define k_ms_to_ticks_near32(t) K_CONVERT_((k_ms_to_ticks_near32), 32, t, HZ_MS_, HZ_TICKS_, near)
/** Milliseconds in ticks, to the nearest. Context: either. */
#define k_ms_to_ticks_near64(t) K_CONVERT_((k_ms_to_ticks_near64), 64, t, HZ_MS_, HZ_TICKS_, near)
/** Milliseconds in microseconds, rounded down, modulo 2^32. Context: either. */
#define k_ms_to_us_floor32(t)   K_CONVERT_((k_ms_to_us_floor32), 32, t, HZ_MS_, HZ_US_, floor)
/** Milliseconds in microseconds, rounded down. Context: either. */
#define k_ms_to_us_floor64(t)   K_CONVERT_((k_ms_to_us_floor64), 64, t, HZ_MS_, HZ_US_, floor)
/** Milliseconds in microseconds, rounded up, modulo 2^32. Context: either. */
#define k_ms_to_us_ceil32(t)    K_CONVERT_((k_ms_to_us_ceil32), 32, t, HZ_MS_, HZ_US_, ceil)
/** Milliseconds in microseconds, rounded up. Context: either. */
#define k_ms_to_us_ceil64(t)    K_CONVERT_((k_ms_to_us_ceil64), 64, t, HZ_MS_, HZ_US_, ceil)
/** Milliseconds in microseconds, to the nearest, modulo 2^32. Context: either. */
#define k_ms_to_us_near32(t)    K_CONVERT_((k_ms_to_us_near32), 32, t, HZ_MS_, HZ_US_, near)
/** Milliseconds in microseconds, to the nearest. Context: either. */
#define k_ms_to_us_near64(t)    K_CONVERT_((k_ms_to_us_near64), 64, t, HZ_MS_, HZ_US_, near)
/** Milliseconds in nanoseconds, rounded down, modulo 2^32. Context: either. */
#define k_ms_to_ns_floor32(t)   K_CONVERT_((k_ms_to_ns_floor32), 32, t, HZ_MS_, HZ_NS_, floor)
/** Milliseconds in nanoseconds, rounded down. Context: either. */
#define k_ms_to_ns_floor64(t)   K_CONVERT_((k_ms_to_ns_floor64), 64, t, HZ_MS_, HZ_NS_, floor)
/** Milliseconds in nanoseconds, rounded up, modulo 2^32. Context: either. */
#define k_ms_to_ns_ceil32(t)    K_CONVERT_((k_ms_to_ns_ceil32), 32, t, HZ_MS_, HZ_NS_, ceil)
/** Milliseconds in nanoseconds, rounded up. Context: either. */
#define k_ms_to_ns_ceil64(t)    K_CONVERT_((k_ms_to_ns_ceil64), 64, t, HZ_MS_, HZ_NS_, ceil)
/** Milliseconds in nanoseconds, to the nearest, modulo 2^32. Context: either. */
#define k_ms_to_ns_near32(t)    K_CONVERT_((k_ms_to_ns_near32), 32, t, HZ_MS_, HZ_NS_, near)
/** Milliseconds in nanoseconds, to the nearest. Context: either. */
#define k_ms_to_ns_near64(t)    K_CONVERT_((k_ms_to_ns_near64), 64, t, HZ_MS_, HZ_NS_, near)
/** Microseconds in cycles of the board's timer, rounded down, modulo 2^32. Context: either. */
#define k_us_to_cyc_floor32(t)  K_CONVERT_((k_us_to_cyc_floor32), 32, t, HZ_US_, HZ_CYC_, floor)
/** Microseconds in cycles of the board's timer, rounded down. Context: either. */
#define k_us_to_cyc_floor64(t)  K_CONVERT_((k_us_to_cyc_floor64), 64, t, HZ_US_, HZ_CYC_, floor)
/** Microseconds in cycles of the board's timer, rounded up, modulo 2^32. Context: either. */
#define k_us_to_cyc_ceil32(t)   K_CONVERT_((k_us_to_cyc_ceil32), 32, t, HZ_US_, HZ_CYC_, ceil)
/** Microseconds in cycles of the board's timer, rounded up. Context: either. */
#define k_us_to_cyc_ceil64(t)   K_CONVERT_((k_us_to_cyc_ceil64), 64, t, HZ_US_, HZ_CYC_, ceil)
/** Microseconds in cycles of the board's timer, to the nearest, modulo 2^32. Context: either. */
#define k_us_to_cyc_near32(t)   K_CONVERT_((k_us_to_cyc_near32), 32, t, HZ_US_, HZ_CYC_, near)
/** Microseconds in cycles of the board's timer, to the nearest. Context: either. */
#define k_us_to_cyc_near64(t)   K_CONVERT_((k_us_to_cyc_near64), 64, t, HZ_US_, HZ_CYC_, near)
/** Microseconds in ticks, rounded down, modulo 2^32. Context: either. */
#define k_us_to_ticks_floor32(t) \
	K_CONVERT_((k_us_to_ticks_floor32), 32, t, HZ_US_, HZ_TICKS_, floor)
/** Microseconds in ticks, rounded down. Context: either. */
#define k_us_to_ticks_floor64(t) \
	K_CONVERT_((k_us_to_ticks_floor64), 64, t, HZ_US_, HZ_TICKS_, floor)
/** Microseconds in ticks, rounded up, modulo 2^32. Context: either. */
#define k_us_to_ticks_ceil32(t) K_CONVERT_((k_us_to_ticks_ceil32), 32, t, HZ_US_, HZ_TICKS_, ceil)
/** Microseconds in ticks, rounded up. Context: either. */
#define k_us_to_ticks_ceil64(t) K_CONVERT_((k_us_to_ticks_ceil64), 64, t, HZ_US_, HZ_TICKS_, ceil)
/** Microseconds in ticks, to the nearest, modulo 2^32. Context: either. */
#define k_us_to_ticks_near32(t) K_CONVERT_((k_us_to_ticks_near32), 32, t, HZ_US_, HZ_TICKS_, near)
/** Microseconds in ticks, to the nearest. Context: either. */
#define k_us_to_ticks_near64(t) K_CONVERT_((k_us_to_ticks_near64), 64, t, HZ_US_, HZ_TICKS_, near)
/** Microseconds in milliseconds, rounded down, modulo 2^32. Context: either. */
#define k_us_to_ms_floor32(t)   K_CONVERT_((k_us_to_ms_floor32), 32, t, HZ_US_, HZ_MS_, floor)
/** Microseconds in milliseconds, rounded down. Context: either. */
#define k_us_to_ms_floor64(t)   K_CONVERT_((k_us_to_ms_floor64), 64, t, HZ_US_, HZ_MS_, floor)
/** Microseconds in milliseconds, rounded up, modulo 2^32. Context: either. */
#define k_us_to_ms_ceil32(t)    K_CONVERT_((k_us_to_ms_ceil32), 32, t, HZ_US_, HZ_MS_, ceil)
/** Microseconds in milliseconds, rounded up. Context: either. */
#define k_us_to_ms_ceil64(t)    K_CONVERT_((k_us_to_ms_ceil64), 64, t, HZ_US_, HZ_MS_, ceil)
/** Microseconds in milliseconds, to the nearest, modulo 2^32. Context: either. */
#define k_us_to_ms_near32(t)    K_CONVERT_((k_us_to_ms_near32), 32, t, HZ_US_, HZ_MS_, near)
/** Microseconds in milliseconds, to the nearest. Context: either. */
#define k_us_to_ms_near64(t)    K_CONVERT_((k_us_to_ms_near64), 64, t, HZ_US_, HZ_MS_, near)
/** Microseconds in nanoseconds, rounded down, modulo 2^32. Context: either. */
#define k_us_to_ns_floor32(t)   K_CONVERT_((k_us_to_ns_floor32), 32, t, HZ_US_, HZ_NS_, floor)
/** Microseconds in nanoseconds, rounded down. Context: either. */
#define k_us_to_ns_floor64(t)   K_CONVERT_((k_us_to_ns_floor64), 64, t, HZ_US_, HZ_NS_, floor)
/** Microseconds in nanoseconds, rounded up, modulo 2^32. Context: either. */
#define k_us_to_ns_ceil32(t)    K_CONVERT_((k_us_to_ns_ceil32), 32, t, HZ_US_, HZ_NS_, ceil)
/** Microseconds in nanoseconds, rounded up. Context: either. */
#define k_us_to_ns_ceil64(t)    K_CONVERT_((k_us_to_ns_ceil64), 64, t, HZ_US_, HZ_NS_, ceil)
/** Microseconds in nanoseconds, to the nearest, modulo 2^32. Context: either. */
#define k_us_to_ns_near32(t)    K_CONVERT_((k_us_to_ns_near32), 32, t, HZ_US_, HZ_NS_, near)
/** Microseconds in nanoseconds, to the nearest. Context: either. */
#define k_us_to_ns_near64(t)    K_CONVERT_((k_us_to_ns_near64), 64, t, HZ_US_, HZ_NS_, near)
/** Nanoseconds in cycles of the board's timer, rounded down, modulo 2^32. Context: either. */
#define k_ns_to_cyc_floor32(t)  K_CONVERT_((k_ns_to_cyc_floor32), 32, t, HZ_NS_, HZ_CYC_, floor)
/** Nanoseconds in cycles of the board's timer, rounded down. Context: either. */
#define k_ns_to_cyc_floor64(t)  K_CONVERT_((k_ns_to_cyc_floor64), 64, t, HZ_NS_, HZ_CYC_, floor)
/** Nanoseconds in cycles of the board's timer, rounded up, modulo 2^32. Context: either. */
#define k_ns_to_cyc_ceil32(t)   K_CONVERT_((k_ns_to_cyc_ceil32), 32, t, HZ_NS_, HZ_CYC_, ceil)
/** Nanoseconds in cycles of the board's timer, rounded up. Context: either. */
#define k_ns_to_cyc_ceil64(t)   K_CONVERT_((k_ns_to_cyc_ceil64), 64, t, HZ_NS_, HZ_CYC_, ceil)
/** Nanoseconds in cycles of the board's timer, to the nearest, modulo 2^32. Context: either. */
#define k_ns_to_cyc_near32(t)   K_CONVERT_((k_ns_to_cyc_near32), 32, t, HZ_NS_, HZ_CYC_, near)
/** Nanoseconds in cycles of the board's timer, to the nearest. Context: either. */
#define k_ns_to_cyc_near64(t)   K_CONVERT_((k_ns_to_cyc_near64), 64, t, HZ_NS_, HZ_CYC_, near)
/** Nanoseconds in ticks, rounded down, modulo 2^32. Context: either. */
#define k_ns_to_ticks_floor32(t) \
	K_CONVERT_((k_ns_to_ticks_floor32), 32, t, HZ_NS_, HZ_TICKS_, floor)
/** Nanoseconds in ticks, rounded down. Context: either. */
#define k_ns_to_ticks_floor64(t) \
	K_CONVERT_((k_ns_to_ticks_floor64), 64, t, HZ_NS_, HZ_TICKS_, floor)
/** Nanoseconds in ticks, rounded up, modulo 2^32. Context: either. */
#define k_ns_to_ticks_ceil32(t) K_CONVERT_((k_ns_to_ticks_ceil32), 32, t, HZ_NS_, HZ_TICKS_, ceil)
/** Nanoseconds in ticks, rounded up. Context: either. */
#define k_ns_to_ticks_ceil64(t) K_CONVERT_((k_ns_to_ticks_ceil64), 64, t, HZ_NS_, HZ_TICKS_, ceil)
/** Nanoseconds in ticks, to the nearest, modulo 2^32. Context: either. */
#define k_ns_to_ticks_near32(t) K_CONVERT_((k_ns_to_ticks_near32), 32, t, HZ_NS_, HZ_TICKS_, near)
/** Nanoseconds in ticks, to the nearest. Context: either. */
#define k_ns_to_ticks_near64(t) K_CONVERT_((k_ns_to_ticks_near64), 64, t, HZ_NS_, HZ_TICKS_, near)
/** Nanoseconds in milliseconds, rounded down, modulo 2^32. Context: either. */
#define k_ns_to_ms_floor32(t)   K_CONVERT_((k_ns_to_ms_floor32), 32, t, HZ_NS_, HZ_MS_, floor)
/** Nanoseconds in milliseconds, rounded down. Context: either. */
#define k_ns_to_ms_floor64(t)   K_CONVERT_((k_ns_to_ms_floor64), 64, t, HZ_NS_, HZ_MS_, floor)
/** Nanoseconds in milliseconds, rounded up, modulo 2^32. Context: either. */
#define k_ns_to_ms_ceil32(t)    K_CONVERT_((k_ns_to_ms_ceil32), 32, t, HZ_NS_, HZ_MS_, ceil)
/** Nanoseconds in milliseconds, rounded up. Context: either. */
#define k_ns_to_ms_ceil64(t)    K_CONVERT_((k_ns_to_ms_ceil64), 64, t, HZ_NS_, HZ_MS_, ceil)
/** Nanoseconds in milliseconds, to the nearest, modulo 2^32. Context: either. */
#define k_ns_to_ms_near32(t)    K_CONVERT_((k_ns_to_ms_near32), 32, t, HZ_NS_, HZ_MS_, near)
/** Nanoseconds in milliseconds, to the nearest. Context: either. */
#define k_ns_to_ms_near64(t)    K_CONVERT_((k_ns_to_ms_near64), 64, t, HZ_NS_, HZ_MS_, near)
/** Nanoseconds in microseconds, rounded down, modulo 2^32. Context: either. */
#define k_ns_to_us_floor32(t)   K_CONVERT_((k_ns_to_us_floor32), 32, t, HZ_NS_, HZ_US_, floor)
/** Nanoseconds in microseconds, rounded down. Context: either. */
#define k_ns_to_us_floor64(t)   K_CONVERT_((k_ns_to_us_floor64), 64, t, HZ_NS_, HZ_US_, floor)
/** Nanoseconds in microseconds, rounded up, modulo 2^32. Context: either. */
#define k_ns_to_us_ceil32(t)    K_CONVERT_((k_ns_to_us_ceil32), 32, t, HZ_NS_, HZ_US_, ceil)
/** Nanoseconds in microseconds, rounded up. Context: either. */
#define k_ns_to_us_ceil64(t)    K_CONVERT_((k_ns_to_us_ceil64), 64, t, HZ_NS_, HZ_US_, ceil)
/** Nanoseconds in microseconds, to the nearest, modulo 2^32. Context: either. */
#define k_ns_to_us_near32(t)    K_CONVERT_((k_ns_to_us_near32), 32, t, HZ_NS_, HZ_US_, near)
/** Nanoseconds in microseconds, to the nearest. Context: either. */
#define k_ns_to_us_near64(t)    K_CONVERT_((k_ns_to_us_near64), 64, t, HZ_NS_, HZ_US_, near)
#endif

#endif /* FOLIOT_TIME_UNITS_H */
