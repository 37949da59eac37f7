/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Time slicing: preemptible threads of equal priority take turns (CONFIG_TIMESLICING).
 *
 * A turn is what a thread runs, not what passes: it goes on after a preemption, with what
 * is left of it. When it is over and an equal is ready, the thread goes behind its equals.
 * Turns end at the nearest tick; what one was too long or too short by, also because
 * interrupts were masked or the scheduler locked, the thread's next one makes up for (at
 * most a turn). So of equals that are ready all the time none is ahead of another by more
 * than a turn and a tick, whatever more urgent threads do.
 *
 * A new turn begins when the thread yields (k_yield()), blocks or is suspended, as in
 * Zephyr; when its priority is set while it does not run; and when its settings change. Not
 * when it is preempted (in Zephyr it then does), nor when it inherits a priority.
 *
 * Cooperative threads take no turns; a turn that is over while the scheduler is locked ends
 * within a tick of k_sched_unlock(). While no two threads of one preemptible priority are
 * ready there is no work for it, but for a test at each switch.
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
 * less: the system's. `expired`, if not NULL, is called in an ISR at each end of a turn of
 * the thread, whether an equal is ready or not. It may end, suspend or change the thread.
 * While there is such a thread, every switch counts. No effect on a thread that has ended;
 * k_thread_create() sets the system's. Needs CONFIG_TIMESLICE_PER_THREAD.
 * Context: either.
 */
void k_thread_time_slice_set(struct k_thread *thread, int32_t slice_ticks,
			     k_thread_timeslice_fn_t expired, void *data);

#endif /* FOLIOT_SLICE_H */
