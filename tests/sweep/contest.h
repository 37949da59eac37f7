/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CONTEST_H
#define CONTEST_H

#include <foliot/kernel.h>

/* A thread's operation, and a handler's, of the same object. */
struct contest {
	const char *name;
	void (*prepare)(void);
	intptr_t (*operation)(void); /* in `subject` */
	void (*rival)(void);         /* in the handler */
	uint32_t (*state)(void);     /* the object's, when both are over */
	/*
	 * It lets interrupts in between two steps, or makes another thread run, and what comes then is
	 * neither before it nor behind it, in so many ways.
	 */
	unsigned int between;
};

struct contest_group {
	const struct contest *contests;
	size_t number;
};

extern const struct contest_group contests_of_objects, contests_of_threads;

#define SUBJECT_PRIO K_PRIO_PREEMPT(4)
#define HELPER_PRIO  K_PRIO_PREEMPT(3)

extern struct k_thread subject;

/* A time-out, long enough, that is the next alarm: one that was cancelled leaves its alarm. */
k_timeout_t sooner_than_any(void);

/* A thread that waits for the object, if a contest needs one: in front of `subject` in time. */
void helper_starts(void (*wait)(void));
/* 1 in bit 0 if it has gone on; it is aborted. */
uint32_t helper_ends(void);

#endif /* CONTEST_H */
