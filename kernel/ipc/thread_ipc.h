/* SPDX-License-Identifier: Apache-2.0 */
/* What a thread's life tells messages. Nothing without CONFIG_IPC. */
#ifndef FOLIOT_KERNEL_THREAD_IPC_H
#define FOLIOT_KERNEL_THREAD_IPC_H

#include "kernel/core/kernel.h"

#ifdef CONFIG_IPC
/* It serves nobody yet. */
static inline void ipc_thread_created(struct k_thread *thread)
{
	thread->ipc.served.wait_q.head = NULL;
	thread->ipc.served.lock_count = 0;
}

/*
 * It ends: whose call it serves is told. Before what it has inherited is looked at. Weak: a program without
 * messages does not carry it. Interrupts masked.
 */
void ipc_thread_ended(struct k_thread *thread) __attribute__((weak));

static inline void ipc_thread_ends(struct k_thread *thread)
{
	if (unlikely(thread->ipc.served.wait_q.head != NULL)) {
		ipc_thread_ended(thread);
	}
}
#else
static inline void ipc_thread_created(struct k_thread *thread)
{
}

static inline void ipc_thread_ends(struct k_thread *thread)
{
}
#endif

#endif /* FOLIOT_KERNEL_THREAD_IPC_H */
