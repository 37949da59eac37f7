/* SPDX-License-Identifier: Apache-2.0 */
/* The stacks that k_thread_stack_alloc() gives, for who takes them back by itself. */
#ifndef FOLIOT_KERNEL_THREAD_STACK_H
#define FOLIOT_KERNEL_THREAD_STACK_H

#include "kernel/base/kernel.h"

#ifdef CONFIG_DYNAMIC_THREAD

/* `stack` is one of the pool's that is given out, and nobody's now. Context: either. */
void thread_stack_give_back(const k_thread_stack_t *stack);

#else

static inline void thread_stack_give_back(const k_thread_stack_t *stack)
{
}

#endif

#endif /* FOLIOT_KERNEL_THREAD_STACK_H */
