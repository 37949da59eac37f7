/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What does an operation cost more where there is more of everything? Each row is measured
 * with 1, 16, 64 and 256 others, and its name ends with that number; `foliot` fits how it
 * grows over them and names the order: flat, logarithmic, linear.
 *
 * Where two orders of the others are possible, the one that costs more is measured too: a
 * waiter that joins behind equals and one that goes before all; a timeout later than all others
 * and one before them; a heap of blocks in a row and one with a hole behind each.
 */
#ifndef GROWTH_H
#define GROWTH_H

#include <measure.h>

#define GROWTH_PRIO K_PRIO_PREEMPT(7)
#define GROWTH_MAX  ((uint32_t)CONFIG_GROWTH_MAX)
#define SAMPLES     ((uint32_t)CONFIG_MEASURE_SAMPLES)

/* The name of the row `id`.n, with the number of the others. It stays until the next call. */
const char *growth_name(const char *id, uint32_t n);

/* Each measures and prints its rows for `n` others. */
void growth_ready(uint32_t n);
void growth_waiters(uint32_t n);
void growth_timeouts(uint32_t n);
void growth_blocks(uint32_t n);

#endif /* GROWTH_H */
