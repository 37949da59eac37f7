/* SPDX-License-Identifier: Apache-2.0 */
/* The witnesses of `foliot bound`: main.c says what they are for. */
#ifndef WORST_H
#define WORST_H

#include <measure.h>

#define WAITERS       16
#define LAST          14 /* the priority of whom all waiters outrank */
#define PRIO_PATTERNS 3U
#define TIME_PATTERNS 2U

enum waker {
	WAKER_COOPERATIVE,
	WAKER_MASKED,
	WAKER_LOCKED,
	WAKER_ISR,
	WAKER_PREEMPTED,
	WAKER_UNQUEUED,  /* was itself woken last, and so is in no queue */
	WAKER_SUSPENDED, /* the first waiter is suspended meanwhile */
	WAKERS,
};

struct object {
	const char *id;
	const char *text;
	void (*before)(void);
	void (*wait)(k_timeout_t timeout, unsigned int number);
	measure_window_fn wake;
	unsigned int wakes; /* how often, until nobody waits */
	bool ends_all;      /* all waiters have ended then, or will */
};

void worst_object(const struct object *object);
void worst_object_in_few(const struct object *object); /* in the costliest states alone */
void worst_join(const struct object *object);

/* ---- objects.c, others.c, singly.c, ends.c, crowds.c, windows.c ---- */

void worst_objects(void);
void worst_crowds(void);
void worst_others(void);
void worst_singly(void);
void worst_ends(void);
unsigned int worst_windows(void); /* the ways that missed their window */

#endif /* WORST_H */
