/* SPDX-License-Identifier: Apache-2.0 */
#ifndef INTERRUPT_H
#define INTERRUPT_H

#include <measure.h>

/* Preemptible, with room above for the thread that an interrupt wakes. */
#define INTERRUPT_PRIO K_PRIO_PREEMPT(8)

/* Each measures and prints its rows. */
void interrupt_entry(void);
void interrupt_direct(void);
void interrupt_to_thread(void);

/* A handler that is interrupted: where interrupts have priorities. */
#ifdef __arm__
void interrupt_nested(void);
#else
static inline void interrupt_nested(void)
{
}
#endif

#endif /* INTERRUPT_H */
