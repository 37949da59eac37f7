/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXTRA_H
#define EXTRA_H

#include <measure.h>

/* Preemptible, with room above for the thread that an interrupt wakes. */
#define EXTRA_PRIO K_PRIO_PREEMPT(8)

/* Each measures and prints its rows. */
void extra_uncontended(void);
void extra_interrupt(void);

#endif /* EXTRA_H */
