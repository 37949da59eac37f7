/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Storms: threads that use all objects at once while interrupts arrive at every place
 * where one can, and use them too. No model says what has to happen; what is checked
 * is that nothing gets lost, doubled or torn, whatever the order.
 */
#ifndef TESTS_HOST_STORM_H
#define TESTS_HOST_STORM_H

#include <foliot/kernel.h>
#include "check.h"

struct storm_job {
	const char *name;
	void (*init)(void);
	void (*in_thread)(int self); /* a few random operations */
	void (*in_isr)(void);
	void (*at_rest)(void);       /* interrupts are open somewhere: what must hold then */
	void (*end)(void);           /* all threads have ended: what must hold now */
};

extern const struct storm_job storm_sem, storm_mutex, storm_queue, storm_msgq, storm_stack,
	storm_event, storm_heap, storm_slab, storm_timer, storm_thread, storm_restart, storm_pipe,
	storm_work, storm_mbox, storm_poll, storm_futex, storm_ipc;

#define STORM_THREADS 5
#define STORM_HOLDERS 4 /* storm_restart.c */

extern struct k_thread storm_threads[STORM_THREADS];

/* A short time-out, now and then none or a longer one. */
k_timeout_t storm_timeout(void);

/* Is it between two steps of a traversal (kernel/sched/traversal.c)? */
bool storm_traversals(const struct k_thread *thread);
/* The links, the order and the states of those who wait are right; returns how many. */
int storm_check_waiters(const _wait_q_t *wait_q);

#ifdef CONFIG_POLL
/* The same of those who poll an object. */
void storm_check_pollers(struct k_poll_event *const *pollers);
#endif

/* ---- storm_ends.c: what else storm_restart.c's threads end in the middle of ---- */
void storm_ends_init(void);
void storm_ends_use(int self);
void storm_ends_serve(void); /* for threads that live on */
void storm_ends_in_isr(void);
void storm_ends_at_rest(void);
void storm_ends_end(void);

#endif /* TESTS_HOST_STORM_H */
