/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time: ticks, timeouts and clocks.
 *
 * A tick is 1 / CONFIG_SYS_CLOCK_TICKS_PER_SEC of a second. A timeout is a signed
 * 32-bit number of ticks: it fits a register, and at 10 kHz reaches 59 hours. Longer
 * waits are made of several. The kernel is tickless: between timeouts no interrupt.
 */
#ifndef FOLIOT_TIME_H
#define FOLIOT_TIME_H

#include <foliot/util.h>

typedef uint32_t k_ticks_t;

typedef struct {
	k_ticks_t ticks; /* 0: do not wait; UINT32_MAX: for ever; at most K_TICKS_MAX else */
} k_timeout_t;

#define K_TICKS_FOREVER ((k_ticks_t)UINT32_MAX)
#define K_TICKS_MAX     ((k_ticks_t)INT32_MAX)

#define CONFIG_TICKS_ ((uint64_t)CONFIG_SYS_CLOCK_TICKS_PER_SEC)

/* Clamp a count of ticks to what a timeout can hold (a compile-time constant mostly). */
#define K_TICKS_CLAMP_(t) \
	((k_ticks_t)((uint64_t)(t) > K_TICKS_MAX ? (uint64_t)K_TICKS_MAX : (uint64_t)(t)))
/* n units of which `per_s` make a second, in ticks, rounded up; negative counts as 0. */
#define K_TICKS_CEIL_(n, per_s) \
	((int64_t)(n) <= 0      \
		 ? (k_ticks_t)0 \
		 : K_TICKS_CLAMP_(((uint64_t)(n) * CONFIG_TICKS_ + (per_s) - 1) / (per_s)))

#define K_NO_WAIT          ((k_timeout_t){0})
#define K_FOREVER          ((k_timeout_t){K_TICKS_FOREVER})
#define K_TICKS(t)         ((k_timeout_t){K_TICKS_CLAMP_(t)})
#define K_NSEC(t)          ((k_timeout_t){K_TICKS_CEIL_(t, 1000000000ULL)})
#define K_USEC(t)          ((k_timeout_t){K_TICKS_CEIL_(t, 1000000ULL)})
#define K_MSEC(t)          ((k_timeout_t){K_TICKS_CEIL_(t, 1000ULL)})
#define K_SECONDS(s)       ((k_timeout_t){K_TICKS_CEIL_(s, 1ULL)})
#define K_MINUTES(m)       K_SECONDS((int64_t)(m) * 60)
#define K_HOURS(h)         K_MINUTES((int64_t)(h) * 60)
#define K_TIMEOUT_EQ(a, b) ((a).ticks == (b).ticks)

#define MSEC_PER_SEC  1000U
#define USEC_PER_MSEC 1000U
#define USEC_PER_SEC  1000000U
#define NSEC_PER_SEC  1000000000U

#define k_ms_to_ticks_ceil32(ms) K_TICKS_CEIL_(ms, 1000ULL)
#define k_us_to_ticks_ceil32(us) K_TICKS_CEIL_(us, 1000000ULL)
#define k_ticks_to_ms_floor64(t) ((uint64_t)(t) * 1000U / CONFIG_TICKS_)
#define k_ticks_to_ms_floor32(t) ((uint32_t)k_ticks_to_ms_floor64(t))
#define k_ticks_to_us_floor64(t) ((uint64_t)(t) * 1000000U / CONFIG_TICKS_)
#define k_ticks_to_ms_ceil32(t) \
	((uint32_t)(((uint64_t)(t) * 1000U + CONFIG_TICKS_ - 1U) / CONFIG_TICKS_))

/* Ticks, or milliseconds, since start; 64 bits, never wraps. Context: either. */
int64_t k_uptime_ticks(void);
int64_t k_uptime_get(void);
uint32_t k_uptime_get_32(void);
/* Milliseconds since *reftime, which is set to now. Context: either. */
int64_t k_uptime_delta(int64_t *reftime);

/*
 * The board's cycle counter, in units of 1 / sys_clock_hw_cycles_per_sec() s. Under
 * QEMU it counts emulated time, not cycles. Wraps. Context: either.
 */
uint32_t k_cycle_get_32(void);
uint32_t sys_clock_hw_cycles_per_sec(void);

/* Spin for at least `usec` microseconds. Context: either. */
void k_busy_wait(uint32_t usec);

/*
 * Internal: a pending timeout, embedded in threads and timers. In the header only
 * because its size is part of theirs.
 */
struct timeout {
	struct timeout *next;
	struct timeout *prev;
	k_ticks_t when; /* absolute tick, modulo 2^32 */
	void (*expire)(struct timeout *timeout); /* interrupts masked */
};

#endif /* FOLIOT_TIME_H */
