/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PERIODIC_ROWS_H
#define PERIODIC_ROWS_H

#include <measure.h>
#include "units.h"

/* Of the periodic threads; those of main() while it watches and while they run. */
#define WORKER_PRIO  K_PRIO_PREEMPT(8)
#define WATCHER_PRIO K_PRIO_COOP(0)
#define RESTING_PRIO K_PRIO_PREEMPT(19)

#define STACK_SIZE 512

/*
 * From release to release: enough for 256 threads to run; in ticks, and at least two. And
 * from the making of threads to their first release.
 */
#define PERIOD_TICKS        MAX(2U, UNITS_TO_TICKS(150000))
#define LEAD_TICKS(threads) (2U + UNITS_TO_TICKS(20000U + 800U * (threads)))

/* Each measures and prints its rows. */
void rows_release(void);
void rows_hand_over(void);

#endif /* PERIODIC_ROWS_H */
