/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trace hooks: named events that cost nothing while CONFIG_TRACE is off. A board's
 * trace driver (drivers/trace_*.c) turns them into signal pins, GPIO or a ring of
 * time stamps. The suite `periodic` and `foliot scope` are their readers.
 */
#ifndef FOLIOT_KERNEL_TRACE_H
#define FOLIOT_KERNEL_TRACE_H

struct k_thread;

#ifdef CONFIG_TRACE
void trace_switch(struct k_thread *out, struct k_thread *in);
void trace_ready(struct k_thread *thread);
void trace_isr_enter(void);
void trace_isr_exit(void);
#else
static inline void trace_switch(struct k_thread *out, struct k_thread *in)
{
	(void)out;
	(void)in;
}

static inline void trace_ready(struct k_thread *thread)
{
	(void)thread;
}
#endif

#endif /* FOLIOT_KERNEL_TRACE_H */
