/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The 47 rows of Zephyr's latency_measure, with its ids and texts, one family a file; with
 * CONFIG_USERSPACE the 77 of user threads besides, by the same windows.
 * What each row's window holds stands beside it. Each function measures and prints its
 * rows; all run in the main thread, at LATENCY_PRIO, and leave their objects as found.
 */
#ifndef LATENCY_H
#define LATENCY_H

#include <measure.h>
#include <measure_user.h>

/* Preemptible, with room above for the threads that outrank it and below for others. */
#define LATENCY_PRIO K_PRIO_PREEMPT(8)

/*
 * The rows of a pair, whose ids are given without their last part: k_to_k, and with user threads
 * k_to_u, u_to_k and u_to_u, in which before() and after() run in the mode of their threads. The part
 * names the mode of the one whose call it is first, then of the one that goes on.
 */
void latency_pair(const struct measure_pair *pair);
/* The same without k_to_k: after() looked at what user threads don't see. */
void latency_pair_users(const struct measure_pair *pair);

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
