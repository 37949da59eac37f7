/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Time: ticks, timeouts and clocks.
 *
 * A tick is 1 / CONFIG_SYS_CLOCK_TICKS_PER_SEC of a second. A timeout is a signed
 * 32-bit number of ticks: it fits a register, and at 10 kHz reaches 59 hours. Longer
 * waits are made of several. The kernel is tickless: between timeouts no interrupt.
 */
#ifndef FOLIOT_TIME_H
#define FOLIOT_TIME_H

#include <foliot/util.h>

/** A number of ticks, or a tick modulo 2^32. */
typedef uint32_t k_ticks_t;

/** How long to wait: made by K_MSEC() and the like, K_NO_WAIT or K_FOREVER. */
typedef struct {
	k_ticks_t ticks; /**< 0: do not wait; UINT32_MAX: for ever; at most K_TICKS_MAX else */
} k_timeout_t;

#define K_TICKS_FOREVER ((k_ticks_t)UINT32_MAX) /**< the ticks of K_FOREVER */
#define K_TICKS_MAX     ((k_ticks_t)INT32_MAX)  /**< the longest timeout, ticks */

#define CONFIG_TICKS_ ((uint64_t)CONFIG_SYS_CLOCK_TICKS_PER_SEC)

/*
 * In ticks: a constant expression of a constant, for static initialisers; of anything else
 * a function's result, so that the argument is evaluated once.
 */
#define K_TICKS_OF_(t, constant, result) \
	__builtin_choose_expr(__builtin_constant_p(t), constant, result)

/*
 * A count of ticks clamped to what a timeout can hold; all ones, of any size, is for ever. One
 * is added on both sides of the comparisons so that -Wtype-limits, which reads the branch that
 * is not chosen too, finds nothing to say of a narrow type.
 */
#define K_TICKS_CLAMP_CONST_(t)                                                           \
	((uint64_t)(t) + 1U == (uint64_t)K_TICKS_FOREVER + 1U || (uint64_t)(t) + 1U == 0U \
		 ? K_TICKS_FOREVER                                                        \
	 : (uint64_t)(t) + 1U > (uint64_t)K_TICKS_MAX + 1U ? K_TICKS_MAX                  \
							   : (k_ticks_t)(t))
static inline k_ticks_t k_ticks_clamp_(uint64_t t)
{
	return K_TICKS_CLAMP_CONST_(t);
}
#define K_TICKS_CLAMP_(t) K_TICKS_OF_(t, K_TICKS_CLAMP_CONST_(t), k_ticks_clamp_((uint64_t)(t)))

/* n units of which `per_s` make a second, in ticks of 1 / hz, rounded up; negative is 0. */
#define K_TICKS_CEIL_CONST_(n, hz, per_s) \
	((int64_t)(n) <= 0                \
		 ? (k_ticks_t)0           \
		 : (k_ticks_t)MIN(((uint64_t)(n) * (hz) + (per_s) - 1) / (per_s), K_TICKS_MAX))
static inline k_ticks_t k_ticks_ceil_(int64_t n, uint64_t hz, uint64_t per_s)
{
	return K_TICKS_CEIL_CONST_(n, hz, per_s);
}
#define K_TICKS_CEIL_(n, per_s)                                      \
	K_TICKS_OF_(n, K_TICKS_CEIL_CONST_(n, CONFIG_TICKS_, per_s), \
		    k_ticks_ceil_((int64_t)(n), CONFIG_TICKS_, per_s))

/** Do not wait: what would have to wait fails instead. */
#define K_NO_WAIT          ((k_timeout_t){0})
/** Wait without a limit. */
#define K_FOREVER          ((k_timeout_t){K_TICKS_FOREVER})
/** t ticks, at most K_TICKS_MAX; K_TICKS_FOREVER, or -1 as in Zephyr, makes K_FOREVER. */
#define K_TICKS(t)         ((k_timeout_t){K_TICKS_CLAMP_(t)})
/** t nanoseconds, rounded up to ticks; here and below: negative counts as 0. */
#define K_NSEC(t)          ((k_timeout_t){K_TICKS_CEIL_(t, 1000000000ULL)})
/** t microseconds, rounded up to ticks. */
#define K_USEC(t)          ((k_timeout_t){K_TICKS_CEIL_(t, 1000000ULL)})
/** t milliseconds, rounded up to ticks. */
#define K_MSEC(t)          ((k_timeout_t){K_TICKS_CEIL_(t, 1000ULL)})
/** s seconds. */
#define K_SECONDS(s)       ((k_timeout_t){K_TICKS_CEIL_(s, 1ULL)})
/** m minutes. */
#define K_MINUTES(m)       K_SECONDS((int64_t)(m) * 60)
/** h hours. */
#define K_HOURS(h)         K_MINUTES((int64_t)(h) * 60)
/** Are two timeouts the same? */
#define K_TIMEOUT_EQ(a, b) ((a).ticks == (b).ticks)

#define MSEC_PER_SEC  1000U       /**< milliseconds in a second */
#define USEC_PER_MSEC 1000U       /**< microseconds in a millisecond */
#define USEC_PER_SEC  1000000U    /**< microseconds in a second */
#define NSEC_PER_SEC  1000000000U /**< nanoseconds in a second */

/** Milliseconds in ticks, rounded up, at most K_TICKS_MAX. Context: either. */
#define k_ms_to_ticks_ceil32(ms) K_TICKS_CEIL_(ms, 1000ULL)
/** Microseconds in ticks, rounded up, at most K_TICKS_MAX. Context: either. */
#define k_us_to_ticks_ceil32(us) K_TICKS_CEIL_(us, 1000000ULL)
/** Ticks in milliseconds, rounded down, 64 bits. Context: either. */
#define k_ticks_to_ms_floor64(t) ((uint64_t)(t) * 1000U / CONFIG_TICKS_)
/** Ticks in milliseconds, rounded down, modulo 2^32. Context: either. */
#define k_ticks_to_ms_floor32(t) ((uint32_t)k_ticks_to_ms_floor64(t))
/** Ticks in microseconds, rounded down, 64 bits. Context: either. */
#define k_ticks_to_us_floor64(t) ((uint64_t)(t) * 1000000U / CONFIG_TICKS_)
/** Ticks in milliseconds, rounded up, 64 bits. Context: either. */
#define k_ticks_to_ms_ceil64(t)  (((uint64_t)(t) * 1000U + CONFIG_TICKS_ - 1U) / CONFIG_TICKS_)
/** Ticks in milliseconds, rounded up, modulo 2^32. Context: either. */
#define k_ticks_to_ms_ceil32(t)  ((uint32_t)k_ticks_to_ms_ceil64(t))

/** Returns the ticks since start; 64 bits, never wraps. Context: either. */
int64_t k_uptime_ticks(void);
/** Returns the milliseconds since start; 64 bits, never wraps. Context: either. */
int64_t k_uptime_get(void);
/** Returns the same modulo 2^32: wraps after 49 days. Context: either. */
uint32_t k_uptime_get_32(void);
/** Returns the milliseconds since *reftime, which is set to now. Context: either. */
int64_t k_uptime_delta(int64_t *reftime);

/**
 * The board's cycle counter. Under QEMU it counts emulated time, not cycles.
 * Returns counts, of which sys_clock_hw_cycles_per_sec() make a second, modulo 2^32.
 * Context: either.
 */
uint32_t k_cycle_get_32(void);
/** Returns how often k_cycle_get_32() counts in a second. Context: either. */
uint32_t sys_clock_hw_cycles_per_sec(void);
/**
 * Returns the count of k_cycle_get_32() for which the kernel's alarm is set: each alarm's
 * interrupt sets it to another, so does arming what is due sooner.
 * Context: either; kernel mode only.
 */
uint32_t k_cycle_alarm_get_32(void);

/**
 * Spin for at least `usec` microseconds, however many they are; what preempts the caller
 * counts. The kernel's clock goes right meanwhile, with interrupts masked, too.
 * Context: either.
 */
void k_busy_wait(uint32_t usec);

/** Internal: the links of a ring. */
struct timeout_ring {
	struct timeout_ring *next;
	struct timeout_ring *prev;
};

/**
 * Internal: a pending timeout, embedded in threads and timers. In the header only
 * because its size is part of theirs.
 */
struct timeout {
	struct timeout_ring ring; /* of those in its slot of the wheel, and the slot */
	k_ticks_t when;           /* absolute tick, modulo 2^32 */
	void (*expire)(struct timeout *timeout); /* interrupts masked */
};

#endif /* FOLIOT_TIME_H */
