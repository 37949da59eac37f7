/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Time slicing: preemptible threads of equal priority take turns (CONFIG_TIMESLICING).
 *
 * A turn begins when a thread is switched to. When it has run for a turn's length and an
 * equal is ready, it goes behind its equals. A turn is never shorter than its length, and
 * at most an eighth of the shortest length in use, and two ticks, longer. While no two
 * threads of one priority are ready there is no interrupt and no work for it, and at a
 * switch there never is.
 */
#ifndef FOLIOT_SLICE_H
#define FOLIOT_SLICE_H

#include <foliot/thread.h>

/**
 * Turns of `slice` milliseconds for preemptible threads of priority `prio` and all less
 * urgent ones (a negative `prio` counts as 0); a `slice` of 0 or less turns it off.
 * Context: either.
 */
void k_sched_time_slice_set(int32_t slice, int prio);

/**
 * A length of its own for `thread`, in ticks, whatever its (preemptible) priority; 0 or
 * less: the system's. `expired`, if not NULL, is called in an ISR when a turn of the thread
 * ends because an equal is ready. Needs CONFIG_TIMESLICE_PER_THREAD.
 * Context: either.
 */
void k_thread_time_slice_set(struct k_thread *thread, int32_t slice_ticks,
			     k_thread_timeslice_fn_t expired, void *data);

#endif /* FOLIOT_SLICE_H */
