/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What threads and the whole system execute, and lists of threads.
 *
 * Cycles are counts of the board's finest counter, the suites' own: BOARD_CLOCK_HZ of them
 * a second. An interrupt is counted as its interrupted thread's. A window is the time from
 * a switch to the thread to the switch away; the system's is from idle to idle.
 */
#ifndef FOLIOT_USAGE_H
#define FOLIOT_USAGE_H

#include <foliot/thread.h>

/** What is gathered; the raw statistics of a thread's object core. */
struct k_cycle_stats {
	uint64_t total;       /**< cycles */
	uint64_t current;     /**< cycles, in the window that is open, or else ended last */
	uint64_t longest;     /**< cycles, a window */
	uint32_t num_windows; /**< that have ended: a thread's switches */
	bool track_usage;     /**< it is being gathered */
};

/** What k_thread_runtime_stats_get() and its like tell. */
typedef struct k_thread_runtime_stats {
	uint64_t execution_cycles; /**< the whole system's: with idling */
	uint64_t total_cycles;     /**< the whole system's: without idling */
	uint64_t current_cycles;   /**< of the window that is open, or else ended last */
	uint64_t peak_cycles;      /**< of the longest window */
	uint64_t average_cycles;   /**< a window; 0 as long as none has ended */
	uint64_t idle_cycles;      /**< the whole system's only */
	uint32_t switches;         /**< the whole system's: windows */
} k_thread_runtime_stats_t;

/**
 * Statistics of a thread since its creation or its last reset. This and what follows, up
 * to k_sys_runtime_stats_reset(), need CONFIG_THREAD_USAGE.
 * Returns 0, or -EINVAL for NULL.
 * Context: either.
 */
int k_thread_runtime_stats_get(k_tid_t thread, k_thread_runtime_stats_t *stats);

/**
 * Statistics of the whole system since start or its last reset.
 * Returns 0, or -EINVAL for NULL.
 * Context: either.
 */
int k_thread_runtime_stats_all_get(k_thread_runtime_stats_t *stats);

/**
 * The same of processor `cpu`, of which there is one, 0.
 * Returns 0, or -EINVAL for NULL and for another processor.
 * Context: either.
 */
int k_thread_runtime_stats_cpu_get(int cpu, k_thread_runtime_stats_t *stats);

/**
 * Gather for a thread, as is done from its creation.
 * Returns 0, or -EINVAL for NULL and for the idle thread.
 * Context: either.
 */
int k_thread_runtime_stats_enable(k_tid_t thread);

/**
 * Gather no more for a thread; what was gathered stays.
 * Returns 0, or -EINVAL for NULL and for the idle thread.
 * Context: either.
 */
int k_thread_runtime_stats_disable(k_tid_t thread);

/** Returns true while it is gathered for a thread. Context: either. */
bool k_thread_runtime_stats_is_enabled(k_tid_t thread);
/** Gather for the whole system, as is done from the start. Context: either. */
void k_sys_runtime_stats_enable(void);
/** Gather no more for the whole system; what was gathered stays. Context: either. */
void k_sys_runtime_stats_disable(void);

/**
 * Let a thread's statistics begin from 0 again.
 * Returns 0, or -EINVAL for NULL and for the idle thread.
 * Context: either.
 */
int k_thread_runtime_stats_reset(k_tid_t thread);
/** Let the system's statistics begin from 0 again. Context: either. */
void k_sys_runtime_stats_reset(void);

/** What k_thread_foreach() calls. Context: k_thread_foreach()'s caller's. */
typedef void (*k_thread_user_cb_t)(const struct k_thread *thread, void *user_data);

/**
 * Call user_cb(thread, user_data) for each thread, the newest first, with interrupts
 * masked all the time. Needs CONFIG_OBJ_CORE.
 * Context: either.
 */
void k_thread_foreach(k_thread_user_cb_t user_cb, void *user_data);

/**
 * The same with interrupts as they are: no thread may end meanwhile.
 * Context: either.
 */
void k_thread_foreach_unlocked(k_thread_user_cb_t user_cb, void *user_data);

/**
 * A thread's state in words, "pending+suspended", into `buf` of `size` bytes: pending, sleeping (as
 * long as it is not started, too), dead, suspended, or queued: it is ready or runs. Needs
 * CONFIG_OBJ_CORE.
 * Returns `buf`, cut off where it does not fit; "" for no buffer.
 * Context: either.
 */
const char *k_thread_state_str(k_tid_t thread, char *buf, size_t size);

/**
 * Print the system's threads with state, priority, stack and share of the CPU, and how
 * many objects of each type there are. Needs CONFIG_OBJ_CORE; a column whose option is
 * off (CONFIG_THREAD_NAME, CONFIG_INIT_STACKS, CONFIG_THREAD_USAGE) shows "-".
 * Context: thread.
 */
void k_kernel_report(void);

#endif /* FOLIOT_USAGE_H */
