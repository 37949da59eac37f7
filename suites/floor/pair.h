/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two contexts that hand the CPU to one another, one call each: two rows. Windows as
 * in the latency suite: from the stamp before the call in one context to the stamp
 * after the other's own call has returned.
 */
#ifndef FLOOR_PAIR_H
#define FLOOR_PAIR_H

#include "floor.h"

#define FLOOR_STACK_SIZE 2048

/* The partner's stack, and what its prepared context begins with. */
extern k_thread_stack_t floor_partner_stack[];
void floor_partner_entry(void);

/* One call in either context, and its row. */
struct floor_side {
	const char *id;
	const char *text;
	measure_window_fn window;
};

/*
 * Measure. The first call of `main_side` begins the partner at floor_partner_entry();
 * where it is prepared is the caller's business.
 */
void floor_pair(const struct floor_side *partner_side, const struct floor_side *main_side);

#endif /* FLOOR_PAIR_H */
