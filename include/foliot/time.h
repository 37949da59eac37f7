/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Time: ticks, timeouts and clocks.
 *
 * A tick is 1 / CONFIG_SYS_CLOCK_TICKS_PER_SEC of a second. A timeout is a
 * 32-bit number of ticks: it fits a register, and at 10 kHz reaches 59 hours. Longer
 * waits are made of several, or with CONFIG_TIMEOUT_64BIT of one of 64 bits, which may end at
 * a given tick, too. The kernel is tickless: between timeouts no interrupt.
 */
#ifndef FOLIOT_TIME_H
#define FOLIOT_TIME_H

#include <foliot/util.h>
#include <foliot/time_units.h>

#ifdef CONFIG_TIMEOUT_64BIT
/** A number of ticks, or a tick. */
typedef int64_t k_ticks_t;
/** Internal: a tick as the kernel counts them, modulo 2^64. */
typedef uint64_t timeout_tick_t;
#define K_TICKS_FOREVER ((k_ticks_t) - 1)        /**< the ticks of K_FOREVER */
#define K_TICKS_MAX     (INT64_MAX / 2) /**< the longest timeout of K_MSEC() and its kin, ticks */
#else
/** A number of ticks, or a tick modulo 2^32; with CONFIG_TIMEOUT_64BIT of type int64_t. */
typedef uint32_t k_ticks_t;
/** Internal: a tick as the kernel counts them, modulo 2^32. */
typedef uint32_t timeout_tick_t;
#define K_TICKS_FOREVER ((k_ticks_t)UINT32_MAX) /**< the ticks of K_FOREVER */
#define K_TICKS_MAX     ((k_ticks_t)INT32_MAX)  /**< the longest timeout, ticks */
#endif

/** How long to wait: made by K_MSEC() and the like, K_NO_WAIT or K_FOREVER. */
typedef struct {
	/**
	 * 0: do not wait; K_TICKS_FOREVER: for ever; at most K_TICKS_MAX else. In 64 bits -2 - n:
	 * until tick n of the uptime.
	 */
	k_ticks_t ticks;
} k_timeout_t;

#define CONFIG_TICKS_ ((uint64_t)CONFIG_SYS_CLOCK_TICKS_PER_SEC)

/*
 * In ticks: a constant expression of a constant, for static initialisers; of anything else
 * a function's result, so that the argument is evaluated once.
 */
#ifdef __cplusplus /* the function is constexpr, and both at once */
#define K_TICKS_OF_(t, constant, result) result
#define K_TICKS_FUNCTION_                constexpr
#else
#define K_TICKS_OF_(t, constant, result) \
	__builtin_choose_expr(__builtin_constant_p(t), constant, result)
#define K_TICKS_FUNCTION_
#endif

#ifdef CONFIG_TIMEOUT_64BIT
#define K_TICKS_CLAMP_(t) \
	((k_ticks_t)(t)) /* it holds them all, and those below -1 say until when */
#else
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
K_TICKS_FUNCTION_ static inline k_ticks_t k_ticks_clamp_(uint64_t t)
{
	return K_TICKS_CLAMP_CONST_(t);
}
#define K_TICKS_CLAMP_(t) K_TICKS_OF_(t, K_TICKS_CLAMP_CONST_(t), k_ticks_clamp_((uint64_t)(t)))
#endif

/*
 * n units of which `per_s` make a second, in ticks of 1 / hz, rounded up; negative is 0. In 64 bits
 * by whole seconds and the rest, since the product may have more; in 32 what has more than 64 is
 * clamped, too.
 */
#ifdef CONFIG_TIMEOUT_64BIT
#define K_TICKS_CEIL_CONST_(n, hz, per_s)                              \
	((int64_t)(n) <= 0 ? (k_ticks_t)0                              \
	 : (uint64_t)(n) / (per_s) + 1U > (uint64_t)K_TICKS_MAX / (hz) \
		 ? K_TICKS_MAX                                         \
		 : (k_ticks_t)((uint64_t)(n) / (per_s) * (hz) +        \
			       ((uint64_t)(n) % (per_s) * (hz) + (per_s) - 1) / (per_s)))
#else
#define K_TICKS_CEIL_CONST_(n, hz, per_s)                          \
	((int64_t)(n) <= 0 ? (k_ticks_t)0                          \
	 : (uint64_t)(n) + 1U > (UINT64_MAX - (per_s)) / (hz) + 1U \
		 ? K_TICKS_MAX                                     \
		 : (k_ticks_t)MIN(((uint64_t)(n) * (hz) + (per_s) - 1) / (per_s), K_TICKS_MAX))
#endif
K_TICKS_FUNCTION_ static inline k_ticks_t k_ticks_ceil_(int64_t n, uint64_t hz, uint64_t per_s)
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
/**
 * t ticks, at most K_TICKS_MAX; K_TICKS_FOREVER, or -1 as in Zephyr, makes K_FOREVER. In 64 bits as
 * they are.
 */
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
/** t counts of k_cycle_get_32(), rounded up to ticks. */
#define K_CYC(t)           ((k_timeout_t){K_TICKS_CEIL_(t, HZ_CYC_)})
/** Are two timeouts the same? */
#define K_TIMEOUT_EQ(a, b) ((a).ticks == (b).ticks)
/** Internal. */
static inline k_timeout_t k_timeout_sum_(k_timeout_t a, k_timeout_t b)
{
	if (K_TIMEOUT_EQ(a, K_FOREVER) || K_TIMEOUT_EQ(b, K_FOREVER)) {
		return K_FOREVER;
	}
	return a.ticks > K_TICKS_MAX - b.ticks ? K_TICKS(K_TICKS_MAX) : K_TICKS(a.ticks + b.ticks);
}
/** One relative timeout after another: at most the longest there is; K_FOREVER with one that is. */
#define K_TIMEOUT_SUM(a, b) k_timeout_sum_(a, b)

#define MSEC_PER_SEC  1000U /**< milliseconds in a second */
#define USEC_PER_MSEC 1000U /**< microseconds in a millisecond */
#define USEC_PER_SEC  1000000U /**< microseconds in a second */
#define NSEC_PER_SEC  1000000000U /**< nanoseconds in a second */
#define NSEC_PER_USEC 1000U /**< nanoseconds in a microsecond */
#define NSEC_PER_MSEC 1000000U /**< nanoseconds in a millisecond */
#define SEC_PER_MIN   60U /**< seconds in a minute */
#define MIN_PER_HOUR  60U /**< minutes in an hour */

/** Returns the ticks since start; 64 bits, never wraps. Context: either. */
int64_t k_uptime_ticks(void);
/** Returns the milliseconds since start; 64 bits, never wraps. Context: either. */
int64_t k_uptime_get(void);
/** Returns the same modulo 2^32: wraps after 49 days. Context: either. */
uint32_t k_uptime_get_32(void);
/** Returns the seconds since start, rounded down, modulo 2^32. Context: either. */
static inline uint32_t k_uptime_seconds(void)
{
	return (uint32_t)(k_uptime_get() / (int64_t)MSEC_PER_SEC);
}
/** Returns the milliseconds since *reftime, which is set to now. Context: either. */
int64_t k_uptime_delta(int64_t *reftime);

/**
 * The board's cycle counter. Under QEMU it counts emulated time, not cycles.
 * Returns counts, of which sys_clock_hw_cycles_per_sec() make a second, modulo 2^32.
 * Context: either.
 */
uint32_t k_cycle_get_32(void);
/** Returns the same count in 64 bits, which never wraps. Context: either. */
uint64_t k_cycle_get_64(void);
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

/** A moment: the end of a time-out that is shared by several calls. */
typedef struct {
	uint64_t tick; /* of the uptime; 0: has been, UINT64_MAX: never comes */
} k_timepoint_t;

/** Returns the moment at which `timeout` is over that begins now. Context: either. */
k_timepoint_t sys_timepoint_calc(k_timeout_t timeout);

/**
 * The time-out until then.
 * Returns K_NO_WAIT once it has come, K_FOREVER if it never does.
 * Context: either.
 */
k_timeout_t sys_timepoint_timeout(k_timepoint_t timepoint);

/** Returns whether it has come. Context: either. */
static inline bool sys_timepoint_expired(k_timepoint_t timepoint)
{
	return sys_timepoint_timeout(timepoint).ticks == 0;
}

/**
 * Returns -1 where `a` is before `b`, 1 where it is after, 0 where they are the same.
 * Context: either.
 */
static inline int sys_timepoint_cmp(k_timepoint_t a, k_timepoint_t b)
{
	return a.tick == b.tick ? 0 : a.tick < b.tick ? -1 : 1;
}

/* The tick is -2 - ticks: never 0, nor K_TICKS_FOREVER. One below 0 is 0. */
#define K_TICKS_UNTIL_CONST_(t) \
	(K_TICKS_FOREVER - 1 -  \
	 (k_ticks_t)((int64_t)(t) < 0 ? 0 : MIN((int64_t)(t), (int64_t)K_TICKS_MAX - 1)))
K_TICKS_FUNCTION_ static inline k_ticks_t k_ticks_until_(int64_t t)
{
	return K_TICKS_UNTIL_CONST_(t);
}
#define K_TICKS_UNTIL_(t) K_TICKS_OF_(t, K_TICKS_UNTIL_CONST_(t), k_ticks_until_((int64_t)(t)))

#ifdef CONFIG_TIMEOUT_64BIT
/** Until tick `t` of the uptime; where that has been, until the next tick. */
#define K_TIMEOUT_ABS_TICKS(t) ((k_timeout_t){K_TICKS_UNTIL_(t)})
/** Until `t` seconds of the uptime. */
#define K_TIMEOUT_ABS_SEC(t)   K_TIMEOUT_ABS_TICKS(K_TICKS_CEIL_(t, 1ULL))
/** Until `t` milliseconds of the uptime, rounded up to ticks. */
#define K_TIMEOUT_ABS_MS(t)    K_TIMEOUT_ABS_TICKS(K_TICKS_CEIL_(t, 1000ULL))
/** Until `t` microseconds of the uptime, rounded up to ticks. */
#define K_TIMEOUT_ABS_US(t)    K_TIMEOUT_ABS_TICKS(K_TICKS_CEIL_(t, 1000000ULL))
/** Until `t` nanoseconds of the uptime, rounded up to ticks. */
#define K_TIMEOUT_ABS_NS(t)    K_TIMEOUT_ABS_TICKS(K_TICKS_CEIL_(t, 1000000000ULL))
/** Until `t` of the counts of k_cycle_get_64(), rounded up to ticks. */
#define K_TIMEOUT_ABS_CYC(t)   K_TIMEOUT_ABS_TICKS(K_TICKS_CEIL_(t, HZ_CYC_))
#else
/*
 * A time-out holds 32 bits here, and no moment: what asks for one does not compile, and says why.
 */
#define K_TIMEOUT_ABS_WHY_ \
	"absolute time-outs (K_TIMEOUT_ABS_...) need time-outs of 64 bits: CONFIG_TIMEOUT_64BIT=y"
#ifdef __cplusplus
#define K_TIMEOUT_ABS_NONE_                           \
	([] {                                         \
		static_assert(0, K_TIMEOUT_ABS_WHY_); \
		return K_FOREVER;                     \
	}())
#else
#define K_TIMEOUT_ABS_NONE_                            \
	((k_timeout_t){sizeof(struct {                 \
		_Static_assert(0, K_TIMEOUT_ABS_WHY_); \
		char place;                            \
	})})
#endif
/** Until tick `t` of the uptime; does not compile without CONFIG_TIMEOUT_64BIT. */
#define K_TIMEOUT_ABS_TICKS(t) K_TIMEOUT_ABS_NONE_
/** Until `t` seconds of the uptime; does not compile without CONFIG_TIMEOUT_64BIT. */
#define K_TIMEOUT_ABS_SEC(t)   K_TIMEOUT_ABS_NONE_
/** Until `t` milliseconds of the uptime; does not compile without CONFIG_TIMEOUT_64BIT. */
#define K_TIMEOUT_ABS_MS(t)    K_TIMEOUT_ABS_NONE_
/** Until `t` microseconds of the uptime; does not compile without CONFIG_TIMEOUT_64BIT. */
#define K_TIMEOUT_ABS_US(t)    K_TIMEOUT_ABS_NONE_
/** Until `t` nanoseconds of the uptime; does not compile without CONFIG_TIMEOUT_64BIT. */
#define K_TIMEOUT_ABS_NS(t)    K_TIMEOUT_ABS_NONE_
/** Until `t` counts of the uptime; does not compile without CONFIG_TIMEOUT_64BIT. */
#define K_TIMEOUT_ABS_CYC(t)   K_TIMEOUT_ABS_NONE_
#endif

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
	timeout_tick_t when; /* the tick, counted from CONFIG_SYS_CLOCK_FIRST_TICK */
	void (*expire)(struct timeout *timeout); /* interrupts masked */
};

#endif /* FOLIOT_TIME_H */
