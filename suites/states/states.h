/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each operation in each state that changes its path. The rows of `latency` are one state
 * each; here the states are enumerated: who calls (below), who waits (alone, with a
 * time-out, in front of an equal or of one less urgent, suspended), and what the object
 * holds. A row's id is the operation's, a slash and the state. Operations with one
 * outcome (at once, refused, blocks, wakes with or without a switch) have one id, so
 * that its least and its most are those of alternatives that a program cannot tell apart.
 */
#ifndef STATES_H
#define STATES_H

#include <measure.h>

/* The caller; the waiter of a pair is one step more urgent, helpers are around them. */
#define STATES_PRIO K_PRIO_PREEMPT(8)

/* ---- callers.c ---- */

/* The ways to call the kernel. */
enum caller {
	CALLER_QUEUED,      /* preempted before: in the ready queue */
	CALLER_UNQUEUED,    /* woken by a less urgent thread: in no queue */
	CALLER_COOPERATIVE, /* of a negative priority */
	CALLER_LOCKED,      /* the scheduler locked */
	CALLER_MASKED,      /* interrupts masked */
	CALLER_ISR,         /* an interrupt handler */
	CALLERS,
};

extern const char *const caller_name[CALLERS];

void callers_init(void);

/* Make the running thread queued, or unqueued. The latter: of STATES_PRIO only. */
void become_queued(void);
void become_unqueued(void);
bool is_queued(void);

/* One sample of `window`, called so; `*was_so` says whether it really was. */
intptr_t call_as(enum caller caller, measure_window_fn window, struct measure_window *stamps,
		 bool *was_so);

/* ---- single.c: operations that do not switch ---- */

/* A row for each caller in `callers` (bits by enum caller). */
void states_single(const struct measure_operation *operation, uint32_t callers);

#define CALLERS_ALL     ((1U << CALLERS) - 1U)
#define CALLERS_THREADS (CALLERS_ALL & ~(1U << CALLER_ISR))

/* ---- pair.c: operations that block, and those that wake ---- */

struct states_pair {
	struct measure_pair pair;
	measure_window_fn wait_timed; /* as pair.wait.window, with a time-out; or NULL */
	void (*wait_once)(void);      /* as pair.wait.window, unmeasured: who else waits */
	void (*company_waits)(void);  /* the same of another waiter in a pair, where it differs */
	const char *no_switch_id;     /* of the waking operation where nobody is switched to */
	bool alone;                   /* there is no queue that others could wait in */
	bool pairs_only; /* no rows without a switch: the waker waits, too, or may be no ISR */
};

void states_pairs(const struct states_pair *pair);

/* ---- one family a file ---- */

void states_sem(void);
void states_mutex(void);
void states_condvar(void);
void states_queue(void);
void states_event(void);
void states_stack(void);
void states_msgq(void);
void states_thread(void);
void states_yield(void);
void states_heap(void);

#endif /* STATES_H */
