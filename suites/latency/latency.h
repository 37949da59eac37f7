/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The 47 rows of Zephyr's latency_measure, with its ids and texts, one family a file.
 * What each row's window holds stands beside it. Each function measures and prints its
 * rows; all run in the main thread, at LATENCY_PRIO, and leave their objects as found.
 */
#ifndef LATENCY_H
#define LATENCY_H

#include <measure.h>

/* Preemptible, with room above for the threads that outrank it and below for others. */
#define LATENCY_PRIO K_PRIO_PREEMPT(8)

void latency_yield(void);
void latency_isr(void);
void latency_thread(void);
void latency_fifo(void);
void latency_lifo(void);
void latency_event(void);
void latency_sem(void);
void latency_condvar(void);
void latency_stack(void);
void latency_mutex(void);
void latency_heap(void);

#endif /* LATENCY_H */
