/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a thread's life tells of its floating-point registers. Nothing without
 * CONFIG_ARCH_FPU_STATE.
 */
#ifndef FOLIOT_KERNEL_FPU_H
#define FOLIOT_KERNEL_FPU_H

#include "kernel/base/kernel.h"

#ifdef CONFIG_ARCH_FPU_STATE
static inline void fpu_thread_created(struct k_thread *thread)
{
	thread->fpu = NULL;
}

/*
 * What is in the core is nobody's any more: its block may be other memory soon. Interrupts masked.
 */
static inline void fpu_thread_ended(struct k_thread *thread)
{
	thread->fpu = NULL;
	arch_fpu_forget(&thread->fpu_state);
}
#else
static inline void fpu_thread_created(struct k_thread *thread)
{
}

static inline void fpu_thread_ended(struct k_thread *thread)
{
}
#endif

#endif /* FOLIOT_KERNEL_FPU_H */
