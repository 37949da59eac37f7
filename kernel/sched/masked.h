/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls about threads from their beginning, for who has interrupts masked already:
 * kernel/syscall/masked.c says for whom. Thread context; interrupts are open when they return.
 */
#ifndef FOLIOT_KERNEL_SCHED_MASKED_H
#define FOLIOT_KERNEL_SCHED_MASKED_H

#include "kernel/base/kernel.h"

void yield_masked(void);
void thread_start_masked(struct k_thread *thread);
void thread_suspend_masked(struct k_thread *thread);
void thread_resume_masked(struct k_thread *thread);

#endif /* FOLIOT_KERNEL_SCHED_MASKED_H */
