/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Meta-IRQ threads: those of the CONFIG_NUM_METAIRQ_PRIORITIES most urgent priorities, which
 * preempt whoever is less urgent, cooperative or with the scheduler locked
 * (sched_threshold_fixed()). What is told to metairq.c so that the one so preempted goes on before
 * all others that are no meta-IRQs: it is held, in no queue. Interrupts masked. Nothing without the
 * option.
 */
#ifndef FOLIOT_KERNEL_METAIRQ_H
#define FOLIOT_KERNEL_METAIRQ_H

#include "kernel/base/kernel.h"

#ifdef CONFIG_METAIRQ
/* Meta-IRQ priorities are those below. */
#define METAIRQ_LIMIT (K_HIGHEST_THREAD_PRIO + CONFIG_NUM_METAIRQ_PRIORITIES)

/* Who is to run where the ready queue has `best`: that, or the held thread. */
struct k_thread *metairq_instead(struct k_thread *best);

/* What `next`, from metairq_instead(), counts as against the running thread's threshold. */
int metairq_prio(const struct k_thread *next);

/* From `out`, which still is k_cpu.current, to `in`, from metairq_instead(). */
void metairq_switch(struct k_thread *out, struct k_thread *in);

/* `thread` is stopped: if it may go on later, it does so by its priority. */
void metairq_forget(const struct k_thread *thread);
#else
/* Macros: with functions instead, compilers swap what is compared, and build other code. */
#define metairq_instead(best_) (best_)
#define metairq_prio(next_)    ((next_)->prio)

static inline void metairq_switch(struct k_thread *out, struct k_thread *in)
{
}

static inline void metairq_forget(const struct k_thread *thread)
{
}
#endif

#endif /* FOLIOT_KERNEL_METAIRQ_H */
