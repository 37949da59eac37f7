/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the sweep share: sweep.c is the engine. */
#ifndef MEASURE_SWEEP_PRIVATE_H
#define MEASURE_SWEEP_PRIVATE_H

#include "private.h"
#include <measure_sweep.h>

/* What the handler does when it has come. Bits of sweep_plan.acts are by these numbers. */
enum sweep_act {
	ACT_NOTHING,  /* returns */
	ACT_PREEMPT,  /* gives a semaphore, to a thread that outranks all */
	ACT_READY, /* resumes a thread that is less urgent than all; the next time, suspends it */
	ACT_TIMEOUTS, /* starts two timers, one of them the next that is due; then, stops them */
	ACT_RESTART, /* aborts a thread that waits with a time-out; another makes it anew */
	ACT_SUSPEND, /* suspends whom it interrupted; another resumes that */
	ACT_PRIORITY, /* makes whom it interrupted less urgent, and as urgent again */
	ACTS,
};

/* ---- tests/sweep/inside/acts.c ---- */

void sweep_acts_init(void);

/* In the handler. */
void sweep_act(enum sweep_act act);

/* What is wrong with what the acts made, or NULL. `is_settled`: nothing may be under way. */
const char *sweep_acts_wrong(bool is_settled);

/* ---- tests/sweep/inside/check.c ---- */

/* What is wrong with the kernel's queues, or NULL. Context: thread. */
const char *sweep_kernel_wrong(void);

#endif /* MEASURE_SWEEP_PRIVATE_H */
