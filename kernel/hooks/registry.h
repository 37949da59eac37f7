/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All threads that live, so that creating one over another that has not ended is caught.
 * Debug builds only: nothing without CONFIG_THREAD_REGISTRY.
 */
#ifndef FOLIOT_KERNEL_REGISTRY_H
#define FOLIOT_KERNEL_REGISTRY_H

#include "kernel/base/kernel.h"

#ifdef CONFIG_THREAD_REGISTRY
/* `thread` is created; asserted: create-over-a-live-thread. Bound: the threads. */
void registry_add(struct k_thread *thread);
/* It has ended; interrupts masked. */
void registry_remove(struct k_thread *thread);
#else
static inline void registry_add(struct k_thread *thread)
{
}

static inline void registry_remove(struct k_thread *thread)
{
}
#endif

#endif /* FOLIOT_KERNEL_REGISTRY_H */
