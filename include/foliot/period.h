/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Periodic threads (CONFIG_PERIODIC).
 *
 * A periodic thread is released on a fixed grid of ticks and says when it has done its
 * work of this round:
 *
 *     for (;;) {
 *             k_period_wait();
 *             work();
 *     }
 *
 * Releases never leave the grid, however late one is served. One that finds its
 * thread still at work is an overrun: it is counted, and one is kept, so that the next
 * k_period_wait() returns at once, after the others of the same priority had their
 * turn. One that finds its thread in a wait or sleep of its own choice is passed over:
 * a delay, a time-out or an awaited flag takes precedence over the period.
 *
 * Threads whose first release is at the same tick and whose periods are the same are
 * released together, at a constant cost each. A thread that is not due costs nothing.
 */
#ifndef FOLIOT_PERIOD_H
#define FOLIOT_PERIOD_H

#include <foliot/time.h>

struct k_thread;

/** Why a thread runs again: what ended its last wait for a period, a time or a flag. */
enum k_trigger {
	K_TRIGGER_NONE,   /**< none of the below: woken by somebody, or never waited */
	K_TRIGGER_PERIOD, /**< its release */
	K_TRIGGER_DELAY,  /**< the end of a sleep, of a time-out or of a delayed start */
	K_TRIGGER_FLAGS,  /**< the device's flags that it awaited, see flags.h */
};

/** What became of a thread's releases. */
struct k_period_stats {
	uint32_t overruns; /**< releases that found the thread still at work */
	uint32_t skipped;  /**< releases that found it in another wait, or suspended */
};

/**
 * Release `thread` first `start_after` from now (rounded up to the next tick, like any
 * time-out) and then every `period`; counts start anew. K_NO_WAIT as the period ends
 * its periodic life: if it is in k_period_wait() then, only k_wakeup() ends that.
 * Bound: at most 16 groups of threads are looked at to find one to join.
 * Returns 0; -EINVAL for a period or a start of K_FOREVER; -ESRCH for a thread that has ended.
 * Context: either.
 */
int k_thread_period_set(struct k_thread *thread, k_timeout_t period, k_timeout_t start_after);

/**
 * The same with the uptime tick of the first release, modulo 2^32 and not behind now: for
 * several threads that shall be on one grid whatever time their making takes.
 * Returns 0; -EINVAL for a period of K_FOREVER; -ESRCH for a thread that has ended.
 * Context: either.
 */
int k_thread_period_set_at(struct k_thread *thread, k_timeout_t period, k_ticks_t first);

/**
 * Wait for the caller's next release. k_wakeup() ends the wait with 0 and K_TRIGGER_NONE.
 * Returns 0; 1 when the release had come before the caller had finished (the overrun is
 * counted already); -EINVAL, at once, for a thread without a period.
 * Context: thread (asserted: period-wait-in-isr).
 */
int k_period_wait(void);

/** Returns what ended the caller's last wait. Context: thread. */
enum k_trigger k_trigger_get(void);

/** Copy a thread's counts, since its period was set, into *stats. Context: either. */
void k_thread_period_stats_get(struct k_thread *thread, struct k_period_stats *stats);

/**
 * Internal: a thread's part in it. The members of a group form a ring; the timeout of
 * one of them, its leader, is armed for all.
 */
struct thread_period {
	struct timeout timeout;
	struct k_thread *next;
	struct k_thread *prev;
	timeout_tick_t ticks; /* the period; 0: not periodic */
	uint8_t trigger; /* enum k_trigger */
	bool no_wait;    /* k_period_wait() does not: a release is kept, or there is no period */
	bool leads;      /* its timeout is the armed one */
	struct k_period_stats stats;
};

#endif /* FOLIOT_PERIOD_H */
