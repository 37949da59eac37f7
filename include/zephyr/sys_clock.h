/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The clock under Zephyr's path. */
#ifndef ZEPHYR_SYS_CLOCK_H
#define ZEPHYR_SYS_CLOCK_H

#include <foliot/time.h>

/** A time-out begins at the next tick: so many ticks it may be longer than asked. */
#define _TICK_ALIGN 1

/* Zephyr's own of K_TICKS() and the like, which some of its tests use. */
#define Z_TIMEOUT_TICKS(t) K_TICKS(t) /**< as K_TICKS() */
#define Z_TIMEOUT_MS(t)    K_MSEC(t)  /**< as K_MSEC() */
#define Z_TIMEOUT_US(t)    K_USEC(t)  /**< as K_USEC() */

/**
 * What a loop calls that waits for something to change: on a computer's process, where time stands
 * still while code runs, it waits for t microseconds; else it does nothing. Context: thread.
 */
#if __STDC_HOSTED__
#define Z_SPIN_DELAY(t) k_busy_wait(t)
#else
#define Z_SPIN_DELAY(t)
#endif

#endif /* ZEPHYR_SYS_CLOCK_H */
